# From clients to a bundle (sourced by run.sh).  Every user records a part of the elements.
mkdir -p programs
cp two programs/
rm -rf parts
for ((user = 0; user < 12; user++)); do
	nudge=early
	[ $((user % 3)) = 2 ] && nudge=late
	"$heddle" coop profile --percent=50 --seed=$user ./two >part.profile 2>log
	NUDGE=$nudge timeout 60 "$heddle" record --hang=500ms --partial=part.profile -o parts ./two >>log 2>&1 </dev/null
done
[ "$(ls parts | wc -l)" = 12 ]
report "merge: twelve users record a part each" $?
start merge --store=sqlite:merge.db --programs=programs --work="$work"
for log in parts/*.crep; do
	timeout 60 "$heddle" coop push "$url" "$log" >>log 2>&1 </dev/null || show log
done
over() { [ "$(curl -s "$url/failures" | jq "[.failures[] | select(.merge == \"reproduced\")] | length")" = "$1" ]; }
for ((i = 0; i < 1800; i++)); do over 2 && break; sleep 0.1; done
over 2 && [ "$(curl -s "$url/failures" | jq -c '[.failures[].logs] | sort')" = "[4,8]" ]
report "merge: two bugs of one build are kept apart, and both reproduced" $?
[ "$i" -lt 1800 ] || curl -s "$url/failures" | show
"$heddle" coop profile --blocks --percent=100 ./two >blocks.profile 2>log
NUDGE=early timeout 60 "$heddle" record --partial=blocks.profile -o blocks ./two >>log 2>&1 </dev/null
timeout 60 "$heddle" coop push "$url" blocks >>log 2>&1 </dev/null || show log
for ((i = 0; i < 600; i++)); do over 3 && break; sleep 0.1; done
over 3 && [ "$(curl -s "$url/failures" | jq -c '[.failures[].logs] | sort')" = "[1,4,8]" ]
report "merge: logs of blocks are a failure of their own, and reproduced" $?
for id in 1 2; do
	curl -s -o "$id.heddle-pack" "$url/failures/$id/bundle"
	timeout 120 "$heddle" replay --times=50 "$id.heddle-pack" >replay.out 2>&1
	if [ $? = 1 ] && grep -q '50 of 50' replay.out; then
		ok "merge: what is downloaded replays 50 of 50 ($id)"
	else
		not_ok "merge: what is downloaded replays 50 of 50 ($id)"
		show replay.out
	fi
done
mkdir -p download
for hash in $(curl -s "$url/failures/1" | jq -r '.hashes[]'); do
	curl -s -o "download/$hash.crep" "$url/logs/$hash"
done
hash=
timeout 120 "$heddle" coop merge --json -q -o download/out ./two download >out.json 2>err
[ $? = 1 ] && [ "$(jq .logs out.json)" = "$(ls download/*.crep | wc -l)" ]
report "merge: so do logs that are downloaded" $?
"$bin/heddle-cc" -O1 -g "$programs/other.c" -o other >log 2>&1
timeout 120 "$heddle" coop merge -q -o download/out ./other download >out 2>err
[ $? = 3 ] && grep -q 'another build' err
report "merge: of another build they are refused" $?
stop
[ $? = 0 ] && ! ls -d heddle-merge.* >/dev/null 2>&1
report "merge: nothing is left of the workers" $?

if python3 -c 'import ctypes,sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) <= 0)'; then
	[ "$(grep -c Landlock merge.err)" = 0 ]
	report "merge: workers are confined" $?
else
	grep -q Landlock merge.err
	report "merge: it is said that workers are not confined" $?
fi
