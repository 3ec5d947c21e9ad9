#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Goal: no policy row changes unseen. Method: the printed form of every row is compared with the
# file of its name; a file without a row and a row without a file fail. The tables of
# docs/policies/history.md are compared with the differences of the rows, and docs/policies/rules.md
# must name every field.
# usage: check-snapshots.sh PRINT-POLICIES SNAPSHOT-FOLDER; with HN_BIN set, `homenode policy show`
# must print the same. UPDATE=1 prints what changed and writes the snapshots anew, once all rows printed.
set -u

[ $# -eq 2 ] || {
	echo "usage: check-snapshots.sh PRINT-POLICIES SNAPSHOT-FOLDER" >&2
	exit 2
}
print=$1
folder=$2
docs=$folder/../../../docs/policies
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
nr=0
failed=0

fail() {
	echo "not the same: $1"
	failed=$((failed + 1))
}

# same EXPECTED FOUND TEXT
same() {
	nr=$((nr + 1))
	diff -u "$1" "$2" || fail "$3"
}

"$print" --list >"$scratch/names" || exit 1
[ -s "$scratch/names" ] || exit 1
if [ "${UPDATE:-0}" = 1 ]; then
	mkdir -p "$folder" "$scratch/new"
	while IFS= read -r name; do
		"$print" "$name" >"$scratch/new/$name.txt" || exit 1
	done <"$scratch/names"
	diff -ruN "$folder" "$scratch/new" && echo "nothing changed"
	rm -f "$folder"/*.txt
	cp "$scratch/new"/*.txt "$folder" || exit 1
fi

while IFS= read -r name; do
	"$print" "$name" >"$scratch/found" || fail "print of $name"
	same "$folder/$name.txt" "$scratch/found" "$name"
	if [ -n "${HN_BIN:-}" ]; then
		"$HN_BIN" policy show "$name" >"$scratch/found" || fail "homenode policy show $name"
		same "$folder/$name.txt" "$scratch/found" "homenode policy show $name"
	fi
done <"$scratch/names"

for file in "$folder"/*.txt; do
	name=$(basename "$file" .txt)
	grep -qxF -e "$name" "$scratch/names" || fail "$file: no row of that name"
done

"$print" --history >"$scratch/history" || fail "print of the history"
grep '^| `[^|]*| `' "$docs/history.md" >"$scratch/tables"
same "$scratch/tables" "$scratch/history" "docs/policies/history.md (-) and the rows (+)"

sed -n 's/^  \([a-z_0-9]*\) *= .*/\1/p' "$scratch/found" >"$scratch/fields"
[ -s "$scratch/fields" ] || fail "fields of $name"
while IFS= read -r field; do
	grep -qF -e "\`$field\`" "$docs/rules.md" || fail "docs/policies/rules.md: no word of $field"
done <"$scratch/fields"

echo "$nr compared, $failed failed"
[ "$failed" -eq 0 ]
