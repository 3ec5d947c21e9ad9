#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: an interrupted simulation ends soon with status 130, says so in one line and leaves the
# older file as it was.
. "$(dirname "$0")/tap.sh"

# Starts a long simulation, sends the signal after a moment, and waits for its end. A shell makes
# its background jobs ignore SIGINT, so that python starts it.
cat >interrupt.py <<'END'
import signal, subprocess, sys, time
with open("out", "wb") as out, open("err", "wb") as err:
    child = subprocess.Popen(sys.argv[2:], stdout=out, stderr=err, stdin=subprocess.DEVNULL)
    time.sleep(0.5)
    begin = time.monotonic()
    child.send_signal(getattr(signal, sys.argv[1]))
    try:
        status = child.wait(timeout=20)
    except subprocess.TimeoutExpired:
        child.kill()
        status = -1
    print(status)
END

interrupt() {
	status=$(python3 interrupt.py "$1" "$HN_BIN" sim numa01:loops=100000 --machine 2s-haswell \
		--policy none,v6.12 --runs 100 --json result.json)
}

echo old >result.json
interrupt SIGINT
refuses 130 "interrupted: nothing was written" "SIGINT"
[ "$(cat result.json)" = old ]
ok $? "the older file is as it was"
[ "$(find . -name '*.tmp' | wc -l)" -eq 0 ]
ok $? "no temporary file is left"
interrupt SIGTERM
refuses 143 "interrupted: nothing was written" "SIGTERM"
tap_end
