#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: whatever is wrong is told in one true line with status 2, and nothing is written.
. "$(dirname "$0")/tap.sh"

# bad TEXT PATTERN ARGUMENTS...: the run is refused and leaves no file behind.
bad() {
	text=$1
	pattern=$2
	shift 2
	run sim "$@" --json result.json
	refuses 2 "$pattern" "$text"
	[ ! -e result.json ] && [ "$(find . -name '*.tmp' | wc -l)" -eq 0 ]
	ok $? "$text: nothing is written"
}

# scenario NAME SIZE THREADS BIND: a small scenario file.
scenario() {
	cat >"$1" <<END
summary: a test
row: TEST
source: made up
regions:
  data: {scope: process, size: $2$4}
processes:
  test:
    instances: 1
    roles:
      worker:
        threads: $3
        steps:
          - touch: {region: data}
          - work: {units: 1000, cycles: 1000, access: [{region: data, bytes: 64}]}
END
}

scenario good.yaml '64 MiB' 4 ''
scenario large.yaml '64 TiB' 4 ''
scenario negative.yaml '-1 MiB' 4 ''
scenario threads.yaml '64 MiB' 0 ''
scenario bind.yaml '64 MiB' 4 ', bind: 7'
printf 'summary: [\n' >broken.yaml
printf '<topology><object type="Machine">' >broken.xml
printf 'no topology at all\n' >broken.txt

run sim good.yaml --machine 2s-haswell --policy none --runs 1
status_is 0 "the scenario that the others spoil"

bad "no scenario" "no scenario: " --machine 2s-haswell
bad "no machine" "no machine for 'numa02': name one with --machine" numa02
bad "unknown scenario" ".*'numa2'.*did you mean 'numa02'" numa2 --machine 2s-haswell
bad "unknown machine" ".*'2s-haswel'.*did you mean '2s-haswell'" numa02 --machine 2s-haswel
bad "unknown policy" ".*'v6.13'.*did you mean" numa02 --machine 2s-haswell --policy v6.13
bad "unknown field" ".*'stop_at_idel'.*did you mean" numa02 --machine 2s-haswell \
	--policy v6.12+stop_at_idel=on
bad "unknown battery" ".*'demoo'.*did you mean 'demo'" battery:demoo --machine 2s-haswell
bad "unknown model" ".*'2s-haswel'.*did you mean" numa02 --machine 'pack:2 [numa] core:2 pu:1' \
	--model 2s-haswel
bad "unknown parameter" ".*loop" numa02:loop=3 --machine 2s-haswell
bad "broken XML" "./broken.xml: " numa02 --machine ./broken.xml
bad "text that is no topology" "./broken.txt: " numa02 --machine ./broken.txt
bad "broken YAML" "./broken.yaml:[0-9]*:[0-9]*: " ./broken.yaml --machine 2s-haswell
bad "negative size" "./negative.yaml:5:" ./negative.yaml --machine 2s-haswell
bad "zero threads" "./threads.yaml:11:" ./threads.yaml --machine 2s-haswell
bad "region larger than the machine" ".*large" ./large.yaml --machine 2s-haswell
bad "bind to a node that is not there" "./bind.yaml:5:" ./bind.yaml --machine 2s-haswell
bad "no runs" "--runs '0': expected a whole number from 1 to 1000" numa02 \
	--machine 2s-haswell --runs 0
bad "too many runs" "--runs '1001'" numa02 --machine 2s-haswell --runs 1001
bad "runs that are no number" "--runs '3x'" numa02 --machine 2s-haswell --runs 3x
bad "negative seed" "--seed '-1'" numa02 --machine 2s-haswell --seed -1
bad "no workers" "--jobs '0'" numa02 --machine 2s-haswell --jobs 0
bad "empty entry in a list" "--policy 'none,,v6.12': an empty entry" numa02 \
	--machine 2s-haswell --policy none,,v6.12
bad "a policy twice" "policy 'none' is given twice" numa02 --machine 2s-haswell \
	--policy none,v6.12,none
bad "a policy and its other name" "policy 'v6.12' is given twice" numa02 \
	--machine 2s-haswell --policy v6.12,default
bad "a scenario twice" "scenario 'numa02' on machine '2s-haswell' is given twice" numa02 numa02 \
	--machine 2s-haswell
bad "unknown report" "--report 'html': expected table, json or none" numa02 \
	--machine 2s-haswell --report html
bad "a folder in place of a scenario" ".*" . --machine 2s-haswell

run sim numa02 --machine 2s-haswell --json no/such/folder.json
refuses 2 "cannot write 'no/such/folder.json': No such file or directory" "a folder that is missing"
run sim numa02 --machine 2s-haswell --json .
refuses 2 "cannot write '.': Is a directory" "a folder in place of a file"
tap_end
