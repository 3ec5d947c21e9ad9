#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: every recorded machine simulates, or is refused with one sentence and status 2: nodes without
# memory or CPUs, sparse ids, asymmetric distances, offline CPUs, 64 nodes, 384 CPUs. Method: a short
# numa02 under balancing and binding on each file of the shared collection. Needs HN_SHARED.
. "$(dirname "$0")/tap.sh"

if [ -z "${HN_SHARED:-}" ]; then
	echo "1..0 # SKIP HN_SHARED is not set: no recorded machines"
	exit 0
fi

# simulates NAME MACHINE: done without a word, or refused in one line.
simulates() {
	run sim numa02:loops=5 --machine "$2" --policy v6.12,hard-bind --runs 1 --json -
	{ [ "$status" -eq 0 ] && [ ! -s err ]; } ||
		{ [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ]; }
	ok $? "$1 simulates or is refused in one line"
}

for file in "$HN_SHARED"/data/topologies/xml/*.xml; do
	simulates "$(basename "$file")" "$file"
done
for file in "$HN_SHARED"/data/topologies/sysfs/*.tar.*; do
	mkdir "$(basename "$file")"
	tar -xf "$file" -C "$(basename "$file")"
	nodes=$(find "$(basename "$file")" -type d -path '*/sys/devices/system/node' | head -1)
	simulates "$(basename "$file")" "${nodes%/sys/devices/system/node}"
done
tap_end
