#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: every kind of name can be listed, plainly and with its sentence.
. "$(dirname "$0")/tap.sh"

# has SUBJECT NAME: the list has the name, alone with --names and with a text without.
has() {
	run list "$1" --names
	grep -qx -e "$2" out
	ok $? "list $1 --names has $2"
	run list "$1"
	grep -q -e "^$2  *[^ ]" out
	ok $? "list $1 tells what $2 is"
}

has machines 2s-haswell
has policies v4.19-rc1
has policies default
has scenarios numa01_THREADLOCAL
has batteries demo
has metrics elsp-ROW
has counters numa_hint_faults
has reasons page_local
has fields idle_cpu_rule

for subject in machines policies scenarios batteries metrics counters reasons fields; do
	run list $subject --names
	status_is 0 "list $subject"
	[ "$(sort out | uniq -d | wc -l)" -eq 0 ]
	ok $? "no name of $subject is there twice"
	! grep -q '[[:space:]]' out
	ok $? "names of $subject are single words"
done

run list
refuses 2 "list: expected one of machines, policies" "no subject"
run list polices
refuses 2 "list: nothing is called 'polices' (did you mean 'policies'?)" "misspelt subject"

HOMENODE_DATA=$tap_dir/nothing
export HOMENODE_DATA
run list machines
refuses 3 "HOMENODE_DATA '.*': no folder with 'machines' and 'scenarios'" "no data folder"
mkdir -p data/machines data/scenarios
HOMENODE_DATA=$tap_dir/data
run list machines
[ "$status" -eq 0 ] && [ ! -s out ]
ok $? "HOMENODE_DATA decides where machines are"
tap_end
