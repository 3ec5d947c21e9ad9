#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: output that can't be written is a failure, not silence; a reader that has seen enough ends
# the program quietly.
. "$(dirname "$0")/tap.sh"

if [ -w /dev/full ]; then
	status=0
	"$HN_BIN" list reasons >/dev/full 2>err || status=$?
	: >out
	refuses 3 "cannot write to standard output: No space left on device" "a full device"
	status=0
	"$HN_BIN" sim numa02:loops=8 --machine 2s-haswell --policy none --runs 1 \
		--json /dev/full >out 2>err || status=$?
	status_is 3 "a full device for the JSON"
else
	skip "a full device" "no /dev/full"
fi

status=0
"$HN_BIN" list reasons >&- 2>err || status=$?
: >out
refuses 3 "cannot write to standard output: Bad file descriptor" "a closed standard output"

# The file would take descriptor 1 if that stayed free, and the table would go into it.
status=0
"$HN_BIN" sim numa02:loops=8 --machine 2s-haswell --policy none --runs 1 --json closed.json \
	>&- 2>err || status=$?
status_is 3 "a closed standard output beside a file"
[ "$(grep -c Amean closed.json)" -eq 0 ]
ok $? "nothing but JSON goes into the file"

{
	"$HN_BIN" list reasons 2>err
	echo $? >status
} | head -n 1 >out
[ "$(wc -l <out)" -eq 1 ] && [ ! -s err ]
ok $? "a reader that stops early causes no message"

if command -v script >/dev/null; then
	script -qec "'$HN_BIN' sim numa01:loops=500 --machine 2s-haswell --policy none,v6.12 \
		--runs 3 --jobs 1 --report none" typescript >out 2>err </dev/null
	cat typescript >>out
	if grep -q 'runs done' out; then
		[ "$(tail -c 300 out | grep -c 'runs done, [0-9]* s$')" -eq 0 ]
		ok $? "the progress line is erased at the end"
	else
		skip "the progress line is erased at the end" "the runs took less than two seconds"
	fi
else
	skip "the progress line is erased at the end" "no script(1)"
fi
tap_end
