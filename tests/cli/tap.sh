# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers of the command line tests; sourced. A test file runs steps, each an "ok" or "not ok" line
# of TAP, and calls tap_end. HN_BIN names the program. Each file works in a folder of its own.
set -u

: "${HN_BIN:?set HN_BIN to the path of the built program}"
case $HN_BIN in
/*) ;;
*) HN_BIN=$PWD/$HN_BIN ;;
esac

[ -x "$HN_BIN" ] || {
	echo "Bail out! HN_BIN '$HN_BIN' is no program"
	exit 3
}

tap_number=0
tap_failed=0
tap_dir=$(mktemp -d)
trap 'rm -rf "$tap_dir"' EXIT
cd "$tap_dir" || exit 3

# Runs the program; leaves its status in $status, its output in the files out and err.
run() {
	status=0
	"$HN_BIN" "$@" >out 2>err </dev/null || status=$?
}

# ok CONDITION-STATUS TEXT: one test line; on failure shows what the program said.
ok() {
	tap_number=$((tap_number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_number - $2"
		return
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_number - $2"
	echo "# status ${status-none}"
	[ ! -f out ] || sed 's/^/# out: /' out | head -20
	[ ! -f err ] || sed 's/^/# err: /' err | head -20
}

skip() {
	tap_number=$((tap_number + 1))
	echo "ok $tap_number - $1 # SKIP $2"
}

# Compares the status of the last run.
status_is() {
	[ "$status" -eq "$1" ]
	ok $? "$2"
}

# The last run wrote a line that matches the basic regular expression.
out_has() {
	grep -q -e "$1" out
	ok $? "$2"
}

# refuses STATUS PATTERN TEXT: one line on standard error that matches, nothing on standard output.
refuses() {
	[ "$status" -eq "$1" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
		grep -q -e "^homenode: $2" err
	ok $? "$3"
}

tap_end() {
	echo "1..$tap_number"
	[ "$tap_failed" -eq 0 ]
	exit $?
}
