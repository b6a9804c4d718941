#!/bin/bash
# One user: user.sh N PROGRAM URL RUNS.  Has a profile of her own, runs the program until it fails, RUNS
# times at most, and sends what she has.  Prints how often it ran and how many logs there are.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
user=$1 program=$2 url=$3 runs=$4
mkdir -p users
"$heddle" coop profile --percent=25 --seed="$user" "$program" >"users/$user.profile" || exit 3
for ((run = 1; run <= runs; run++)); do
	timeout 60 "$heddle" record -q --partial="users/$user.profile" -o "users/$user" "$program" \
		>"users/$user.out" 2>&1 </dev/null || break
done
[ "$run" -le "$runs" ] || run=$runs
logs=0
if compgen -G "users/$user/*.crep" >/dev/null; then
	timeout 60 "$heddle" coop push --spool --json "$url" "users/$user" >"users/$user.push" 2>&1 </dev/null ||
		{ cat "users/$user.push" >&2; exit 3; }
	logs=$(jq .sent "users/$user.push")
fi
echo "$user $run $logs"
