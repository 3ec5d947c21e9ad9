#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: results of earlier runs are compared as those of a simulation are, and the exit status
# answers whether something got worse.
. "$(dirname "$0")/tap.sh"

# result FILE POLICY TIME...: a result file with one run per time.
result() {
	file=$1
	policy=$2
	shift 2
	run_number=0
	separator=
	printf '{"schema": "homenode-result/1", "runs": [' >"$file"
	for time in "$@"; do
		printf '%s{"scenario": "numa01", "machine": "2n", "policy": "%s", "fields": {},' \
			"$separator" "$policy" >>"$file"
		printf ' "run": %d, "seed": %d, "metrics": {"elsp-NUMA01": %s},' \
			$run_number $((run_number + 1)) "$time" >>"$file"
		printf ' "counters": {}, "local_share": [], "reasons": {}, "digest": "0"}' >>"$file"
		run_number=$((run_number + 1))
		separator=', '
	done
	echo ']}' >>"$file"
}

run sim numa02:loops=40 --machine 2s-haswell --policy none,v6.12 --runs 3 --json one.json
cp out table
run compare one.json
cmp -s out table
ok $? "one file gives the table of its simulation"

# 10 to 8 is 20 % better, and the intervals do not touch:
# 4.30265 * (0.1 + 0.1) / sqrt(3) = 0.5.
result old.json none 9.9 10 10.1
result new.json none 7.9 8 8.1
run compare old.json new.json
out_has '^  *old  *new$' "files stand above"
out_has '^  *none  *none$' "policies below"
out_has '^Amean  *elsp-NUMA01  *10.00 (   0.00%)  *8.00 \*  20.00%\*$' "the change is significant"
run compare old.json new.json --baseline new:none
out_has '^Amean  *elsp-NUMA01  *8.00 (   0.00%)  *10.00 \* -25.00%\*$' "another baseline"

run compare old.json new.json --fail-on-regression 5
status_is 0 "better is no regression"
run compare new.json old.json --fail-on-regression 5
status_is 1 "25 % worse is one"
grep -q '^homenode: regression: elsp-NUMA01 of old:none on 2n is 25.00% worse than new:none' err
ok $? "and it is told"
out_has '^Amean' "after the table"
run compare new.json old.json --fail-on-regression 30
status_is 0 "within the limit"
# 6 10 14 and 7 11 15 overlap: 10 % worse, not significant.
result wide.json none 6 10 14
result wider.json none 7 11 15
run compare wide.json wider.json --fail-on-regression 5
status_is 0 "what may be chance is no regression"
result single.json none 10
result slower.json none 11
run compare single.json slower.json --fail-on-regression 5
status_is 1 "of single runs the limit alone decides"

run compare
refuses 2 "compare: expected 1 to" "no file"
run compare missing.json
refuses 2 ".*missing.json" "a file that is missing"
run compare old.json old.json
refuses 2 "compare: a file is given twice" "a file twice"
printf '{"schema": "homenode-result/1",\n "runs": [}' >broken.json
run compare broken.json
refuses 2 "broken.json:2:[0-9]*: not JSON" "broken JSON"
printf '{"schema": "other/1", "runs": []}' >other.json
run compare other.json
refuses 2 "broken.json\|other.json: schema 'other/1': expected \"homenode-result/1\"" \
	"another schema"
run compare old.json --baseline nome
refuses 2 "--baseline 'nome': no column has that name (did you mean 'none'?)" "unknown baseline"
run compare old.json --fail-on-regression much
refuses 2 "--fail-on-regression 'much': expected a number" "a limit that is no number"
run compare old.json --fail-on-regression -3
refuses 2 "--fail-on-regression '-3': expected a number" "a negative limit"
tap_end
