#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: completion offers what the program knows. HN_COMPLETION names the file; without it the one
# beside the tests is used.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/tap.sh"

completion=${HN_COMPLETION:-$here/../../completion/homenode.bash}
if ! command -v bash >/dev/null; then
	skip "completion" "no bash"
	tap_end
fi

# offers LINE ANSWER TEXT: with the cursor at the end of the line, the answer is among those given.
# The words are split as readline does it, at blanks and in front of and behind ':' and '='.
cat >complete.bash <<'END'
compopt() { :; }
. "$1"
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
read -r -a COMP_WORDS <<<"$(sed 's/\([:=]\)/ \1 /g' <<<"$COMP_LINE")"
[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMP_WORDS[0]=$HN_BIN
_homenode
printf '%s\n' "${COMPREPLY[@]}"
END

offers() {
	HN_BIN=$HN_BIN bash complete.bash "$completion" "$1" >out 2>err
	grep -qxF -e "$2" out && [ ! -s err ]
	ok $? "$3"
}

offers 'homenode s' sim "a command"
offers 'homenode sim numa02' numa02_SMT "a scenario"
offers 'homenode sim battery:de' demo "a battery, behind its colon"
offers 'homenode sim numa02 --mach' --machine "an option"
offers 'homenode sim numa02 --machine 2s-has' 2s-haswell "a machine"
offers 'homenode sim numa02 --machine 2s-haswell,4n-p' 2s-haswell,4n-power8 "a second machine"
offers 'homenode sim numa02 --policy none,v6.1' none,v6.12 "a policy in a list"
offers 'homenode sim numa02 --policy v6.12+stop_at' v6.12+stop_at_idle= "a field"
offers 'homenode sim numa02 --policy v6.12+stop_at_idle=o' on "a value of a switch"
offers 'homenode sim numa02 --policy v6.12+idle_cpu_rule=may' maymove "a value of a choice"
offers 'homenode list ' machines "a subject"
offers 'homenode policy ' diff "a mode"
offers 'homenode policy show v4.19' v4.19-rc1 "a policy to show"
offers 'homenode help comp' compare "a command to explain"
tap_end
