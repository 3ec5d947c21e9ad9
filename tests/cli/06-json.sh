#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: the JSON has the fixed frame, goes where it was sent and nowhere else, and is the same
# bytes for the same runs.
. "$(dirname "$0")/tap.sh"

set -- sim numa02:loops=40 --machine 2s-haswell --policy none,v6.12 --runs 2
run "$@" --json -
status_is 0 "--json -"
cp out dash.json
[ ! -s err ]
ok $? "nothing on standard error"
python3 - dash.json >out 2>err <<'END'
import json, sys
data = json.load(open(sys.argv[1]))
assert data["schema"] == "homenode-result/1", data["schema"]
assert len(data["runs"]) == 4, len(data["runs"])
for run in data["runs"]:
    frame = ["scenario", "machine", "policy", "fields", "run", "seed", "metrics", "counters",
             "local_share", "reasons", "digest"]
    assert list(run)[:len(frame)] == frame, list(run)
    assert run["machine"] == "2s-haswell", run["machine"]
    assert run["seed"] == 1 + run["run"], (run["seed"], run["run"])
    assert run["metrics"]["elsp-NUMA02"] > 0
    assert isinstance(run["metrics"]["syst-NUMA02"], float)
    assert isinstance(run["counters"]["numa_pte_updates"], int)
    assert run["fields"]["stop_at_idle"] in (True, False)
    assert isinstance(run["fields"]["scan_period_ms_min"], int)
    assert isinstance(run["fields"]["idle_cpu_rule"], str)
    assert all(0 <= share <= 1 for at, share in run["local_share"])
    assert all(isinstance(at, int) for at, share in run["local_share"])
    assert isinstance(run["digest"], str)
assert [run["policy"] for run in data["runs"]] == ["none", "none", "v6.12", "v6.12"]
END
status=$?
ok $status "the frame that other programs read"

run "$@" --json -
cmp -s out dash.json
ok $? "the same command gives the same bytes"
run "$@" --json - --jobs 1
cmp -s out dash.json
ok $? "one worker gives the same bytes"
run "$@" --json - --jobs 7
cmp -s out dash.json
ok $? "seven workers give the same bytes"
run "$@" --report json
cmp -s out dash.json
ok $? "--report json is another spelling"

run "$@" --json file.json
out_has '^Amean  *elsp-NUMA02' "--json FILE leaves the table on standard output"
cmp -s file.json dash.json
ok $? "the file has the same bytes"
echo old >file.json
run "$@" --json file.json
cmp -s file.json dash.json
ok $? "an older file is replaced"
ln -s file.json link.json
run "$@" --json link.json
[ -L link.json ] && cmp -s file.json dash.json
ok $? "a link keeps pointing"
run "$@" --json /dev/null
[ "$status" -eq 0 ] && [ -c /dev/null ]
ok $? "a device is written, not replaced"
[ "$(find . -name '*.tmp' | wc -l)" -eq 0 ]
ok $? "no temporary file is left"

run "$@" --report json --json file.json
refuses 2 "--report json writes to standard output" "two places for one thing"
tap_end
