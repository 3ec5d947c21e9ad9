#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: commands and options are found, misspelt ones get the nearest, and none dumps its usage.
. "$(dirname "$0")/tap.sh"

run
refuses 2 "no command: 'homenode help'" "no command"
run simm
refuses 2 "unknown command 'simm' (did you mean 'sim'?)" "misspelt command"
run help
status_is 0 "help"
for command in sim compare policy list help version; do
	grep -q "^  $command " out
	ok $? "help names $command"
done
for command in sim compare policy list help version; do
	run "$command" --help
	head -1 out | grep -q "^usage: homenode $command"
	ok $? "usage of $command"
	cp out usage
	run help "$command"
	cmp -s out usage
	ok $? "help $command says the same where there is no terminal"
done
run --help
status_is 0 "--help"
run help simm
refuses 2 "unknown command 'simm' (did you mean 'sim'?)" "help for a misspelt command"
run --version
out_has '^homenode [0-9.]* (homenode-result/1)$' "--version"
run version
out_has '^homenode [0-9.]* (homenode-result/1)$' "version"
run sim numa02 --runns 3
refuses 2 "unknown option '--runns' of 'sim' (did you mean '--runs'?)" "misspelt option"
run sim numa02 -z
refuses 2 "unknown option '-z' of 'sim'" "unknown letter"
run sim numa02 --runs
refuses 2 "option '--runs' needs a value: N" "option without its value"
run sim numa02 --quiet=yes
refuses 2 "option '--quiet' takes no value" "switch with a value"
run list -- --names
refuses 2 "list: nothing is called '--names'" "words after -- are no options"
run version now
refuses 2 "version: 'now' is one word too many" "a word too many"
run "$(printf 'two\nlines')"
refuses 2 "unknown command 'two?lines'" "a message stays one line"
tap_end
