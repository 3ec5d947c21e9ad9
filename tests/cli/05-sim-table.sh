#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: the table of a simulation is complete, and the line on top of it makes it again.
. "$(dirname "$0")/tap.sh"

set -- sim numa02:loops=40 --machine 2s-haswell --policy none,v4.19 --runs 3 --seed 5
run "$@"
status_is 0 "a small comparison"
cp out first
for row in 'Min  *elsp-NUMA02' 'Amean  *elsp-NUMA02' 'Stddev  *elsp-NUMA02' \
	'CoeffVar  *elsp-NUMA02' 'Max  *elsp-NUMA02' 'Amean  *syst-NUMA02' 'Duration  *User' \
	'Duration  *System' 'Duration  *Elapsed' 'Ops  *numa_hint_faults' 'Local%  *mean'; do
	out_has "^$row " "row '$row'"
done
out_has '^not a like-for-like comparison: v4.19 differs from none in [0-9]* fields' \
	"the note on fields"
out_has '^machine model: 2s-haswell$' "the note on the model"

# The first line without the version is a shell command.
command=$(sed -n '1s/^homenode [^:]*: homenode //p' first)
[ "$command" = "$*" ]
ok $? "the top line is the command"
eval "run $command"
cmp -s out first
ok $? "the top line makes the same table"

run sim numa02:loops=40 --machine '2s-haswell,pack:2 [numa] core:4 pu:1' --policy none --runs 1
[ "$(grep -c '^homenode ' out)" -eq 2 ]
ok $? "two machines give two tables"
out_has '^machine model: derived; ' "a derived model is told"
! grep -q '^Stddev' out
ok $? "single runs have no spread"
run sim numa02:loops=40 --machine 2s-haswell --policy v6.12,v6.12+stop_at_idle=on --runs 1
! grep -q 'like-for-like' out
ok $? "one field apart is like for like"
run sim numa02:loops=40 --machine 2s-haswell --policy none --runs 1 --counters
out_has '^Ops  *thp_split_pmd ' "--counters shows those that stayed zero"
run sim numa02:loops=40 --machine 2s-haswell --policy v6.12 --runs 1 --reasons
out_has '^Why  *page_' "--reasons shows reasons"
run sim numa02:loops=40 --machine 2s-haswell --policy none --runs 1 --report none
[ "$status" -eq 0 ] && [ ! -s out ]
ok $? "--report none prints nothing"
run sim numa02:loops=40 --machine 2s-haswell --runs 1
out_has '^  *none  *v6.12$' "none and the default are compared where no policy is named"
run sim numa02:loops=40 --policy v6.12 --machine 2s-haswell --runs 1
[ ! -s err ]
ok $? "no progress line where there is no terminal"
tap_end
