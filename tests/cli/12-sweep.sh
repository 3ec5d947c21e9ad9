#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: --sweep runs a scenario over a parameter and prints one row for each value. Method: three short
# runs; the values of the rows are those of single runs.
. "$(dirname "$0")/tap.sh"

run sim numa02 --sweep loops=2,4,8 --machine 2s-haswell --policy none --runs 1 --quiet
status_is 0 "a sweep runs"
out_has '^Amean  *elsp-NUMA02 loops=2 ' "a row for the first value"
out_has '^Amean  *elsp-NUMA02 loops=8 ' "a row for the last value"
[ "$(grep -c '^Amean' out)" -eq 3 ]
ok $? "three rows"
swept=$(sed -n 's/^Amean  *elsp-NUMA02 loops=4 *\([0-9.]*\) .*/\1/p' out)

run sim numa02:loops=4 --machine 2s-haswell --policy none --runs 1 --quiet
single=$(sed -n 's/^Amean  *elsp-NUMA02 *\([0-9.]*\) .*/\1/p' out)
[ -n "$swept" ] && [ "$swept" = "$single" ]
ok $? "a row is what the single run gives"

run sim numa02:huge=off --sweep loops=2,4 --machine 2s-haswell,2s-icelake --policy none --runs 1
[ "$(grep -c '^Amean' out)" -eq 4 ]
ok $? "a table for each machine, parameters kept"

run sim numa02 --sweep loops --machine 2s-haswell
refuses 2 ".*expected PARAMETER=VALUE" "no values"
run sim numa02 --sweep loops=1,,2 --machine 2s-haswell
refuses 2 ".*an empty value" "an empty value"
run sim numa02 --sweep loops=1,1 --machine 2s-haswell
refuses 2 ".*given twice" "a value twice"
run sim numa02 --sweep loop=1 --machine 2s-haswell
refuses 2 ".*no parameter 'loop'" "unknown parameter"
run sim battery:demo --sweep loops=1
refuses 2 ".*not on 'battery:demo'" "a battery"
tap_end
