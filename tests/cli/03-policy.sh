#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: policies are shown and compared; what is not one is refused with the nearest.
. "$(dirname "$0")/tap.sh"

run policy show v6.12
status_is 0 "policy show"
out_has 'idle_cpu_rule' "it shows the fields"
run policy show v6.12+stop_at_idle=on
out_has 'stop_at_idle.*on' "a replaced field is shown"
run policy diff v4.18 v4.19-rc1
status_is 0 "policy diff"
out_has 'compare_order' "it shows a field that differs"
! grep -q 'thp_migration' out
ok $? "it leaves out those that do not"
run policy diff v6.12 v6.12
status_is 0 "a policy against itself"

run policy
refuses 2 "policy: expected 'show' or 'diff'" "no word"
run policy shw v6.12
refuses 2 "policy: unknown word 'shw' (did you mean 'show'?)" "misspelt word"
run policy show
refuses 2 "policy show: expected the name of a policy" "no name"
run policy diff v6.12
refuses 2 "policy diff: expected the names of two policies" "one name"
run policy show v6.12 v6.10
refuses 2 "policy show: 'v6.10' is one word too many" "a name too many"
run policy show v6.13
refuses 2 ".*'v6.13'.*did you mean '" "unknown policy"
run policy show v6.12+stop_at_idel=on
refuses 2 ".*'stop_at_idel'.*did you mean 'stop_at_idle'" "unknown field"
run policy show v6.12+stop_at_idle=perhaps
refuses 2 ".*perhaps" "value that the field does not have"
tap_end
