# SPDX-License-Identifier: GPL-2.0-or-later
# Bash completion of homenode. Names come from `homenode list ... --names`.

# Completes the last entry of a list that is separated by commas.
_homenode_list() {
	local names=$1 word=$2 head=
	if [[ $word == *,* ]]; then
		head=${word%,*},
		word=${word##*,}
	fi
	mapfile -t COMPREPLY < <(compgen -P "$head" -W "$names" -- "$word")
	compopt -o nospace
}

# A policy: its name, or after a plus sign a field, or after '=' a value of the field.
_homenode_policy() {
	local program=$1 word=$2 last=${2##*,} head names
	if [[ $last == *+*=* && ${last##*+} == *=* ]]; then
		names=$("$program" list fields 2>/dev/null | awk -v field="${last##*+}" '
			BEGIN { sub(/=.*/, "", field) }
			$1 == field && /\]$/ { sub(/.*\[/, ""); sub(/\]$/, ""); gsub(/, /, " "); print }')
		head=${word%"${word##*=}"}
		mapfile -t COMPREPLY < <(compgen -P "$head" -W "$names" -- "${word##*=}")
		compopt -o nospace
	elif [[ $last == *+* ]]; then
		names=$("$program" list fields --names 2>/dev/null)
		head=${word%"${word##*+}"}
		mapfile -t COMPREPLY < <(compgen -P "$head" -S = -W "$names" -- "${word##*+}")
		compopt -o nospace
	else
		_homenode_list "$("$program" list policies --names 2>/dev/null)" "$word"
	fi
}

_homenode_scenario() {
	local program=$1 word=$2
	mapfile -t COMPREPLY < <(compgen -W "$("$program" list scenarios --names 2>/dev/null)
		$("$program" list batteries --names 2>/dev/null | sed 's/^/battery:/')" -- "$word"
		compgen -f -X '!*.yaml' -- "$word")
}

_homenode_options() {
	case $1 in
	sim) echo --machine --model --policy --sweep --runs --seed --jobs --json --report --counters --reasons \
		--quiet --help ;;
	compare) echo --baseline --fail-on-regression --counters --reasons --help ;;
	list) echo --names --help ;;
	*) echo --help ;;
	esac
}

_homenode_words() {
	local program=$1 command=$2 word=$3
	case $command in
	sim) _homenode_scenario "$program" "$word" ;;
	compare) mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- "$word") ;;
	list) mapfile -t COMPREPLY < <(compgen -W "machines policies scenarios batteries metrics
		counters reasons fields" -- "$word") ;;
	help) mapfile -t COMPREPLY < <(compgen -W "sim compare policy list help version" -- "$word") ;;
	policy)
		if [[ $COMP_CWORD -eq 2 ]]; then
			mapfile -t COMPREPLY < <(compgen -W "show diff" -- "$word")
		else
			_homenode_policy "$program" "$word"
		fi ;;
	esac
}

# Readline splits words at ':' and '='. Puts the word under the cursor, unsplit, into `whole`, and
# the one before it into `before`.
_homenode_join() {
	local line=${COMP_LINE:0:COMP_POINT}
	whole=${line##*[[:space:]]}
	line=${line%"$whole"}
	line=${line%"${line##*[![:space:]]}"}
	before=${line##*[[:space:]]}
}

# Takes what readline regards as finished off the front of the answers.
_homenode_cut() {
	local whole=$1 rest=$1 cut i
	for i in : =; do
		[[ $COMP_WORDBREAKS == *"$i"* ]] && rest=${rest##*"$i"}
	done
	cut=${whole%"$rest"}
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=${COMPREPLY[i]#"$cut"}
	done
}

_homenode() {
	local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]-} whole before
	COMPREPLY=()
	_homenode_join
	if [[ $COMP_CWORD -eq 1 ]]; then
		mapfile -t COMPREPLY < <(compgen -W "sim compare policy list help version" -- "$whole")
		return
	fi
	case $before in
	--machine | -m) _homenode_list "$("$program" list machines --names 2>/dev/null) live" "$whole"
		[[ ${#COMPREPLY[@]} -gt 0 ]] || mapfile -t COMPREPLY < <(compgen -f -- "$whole") ;;
	--model) mapfile -t COMPREPLY < <(compgen -W "$("$program" list machines --names 2>/dev/null)" \
		-- "$whole") ;;
	--policy | -p) _homenode_policy "$program" "$whole" ;;
	--report) mapfile -t COMPREPLY < <(compgen -W "table json none" -- "$whole") ;;
	--json) mapfile -t COMPREPLY < <(compgen -f -- "$whole") ;;
	--sweep | --runs | -r | --seed | -s | --jobs | -j | --baseline | -b | --fail-on-regression) ;;
	*)
		if [[ $whole == -* ]]; then
			mapfile -t COMPREPLY < <(compgen -W "$(_homenode_options "$command")" -- "$whole")
		else
			_homenode_words "$program" "$command" "$whole"
		fi ;;
	esac
	_homenode_cut "$whole"
}

complete -F _homenode homenode
