# What heddle writes has no secrets in it, and is its user's alone.
secret=correct-horse-battery-staple-91
other=xyzzy-7d1f3b
cp "$TEST_HERE/programs/tells.c" .
"$heddle" cc -g -pthread -o tells tells.c && "$heddle" cc --flavor=record -DREAD_ALL -g -pthread -o tells-record tells.c
report "a program that tells its environment is built" $?

export MY_API_TOKEN=$secret TELLER_MODE=loud UNRELATED_NAME=$other
"$heddle" check -o out --runs=2000 ./tells "$secret" x >check.out 2>check.err
[ $? -eq 1 ]; report "check finds its failure" $?
grep -q 'MY_API_TOKEN' check.err; report "the secret is said" $?
"$heddle" check -o out --json ./tells "$secret" x >check.json 2>/dev/null
"$heddle" check -o out --sarif ./tells "$secret" x >check.sarif 2>/dev/null
"$heddle" run -o out ./tells "$secret" x >run.out 2>run.err
"$heddle" predict ./tells "$secret" >predict.out 2>&1
"$heddle" predict --env=MY_API_TOKEN ./tells "$secret" >predict-env.out 2>&1; grep -q MY_API_TOKEN predict.out && ! grep -q MY_API_TOKEN predict-env.out
report "predict has --env, too" $?
env -u UNRELATED_NAME "$heddle" record --keep=all -o out ./tells-record "$secret" x >record.out 2>record.err
grep -q "^$secret loud $secret" record.out; report "a recorded program has its own environment" $?
"$heddle" stable --log=stable.log ./tells "$secret" >stable.out 2>&1
for bundle in out/*; do
	"$heddle" info --json "$bundle" >>info.json 2>/dev/null
	"$heddle" info --events "$bundle" >>info.txt 2>/dev/null
	"$heddle" info "$bundle" >>info.txt 2>/dev/null
done
ls out/*.rec out/*.heddle >/dev/null 2>&1; report "there are bundles and a recording" $?
# Every part, also as it is inside of its compression (frames begin with a number of four bytes).
inflate() { python3 -c '
import subprocess, sys
for path in sys.argv[1:]:
    data, at = open(path, "rb").read(), 0
    while (at := data.find(b"\x28\xb5\x2f\xfd", at)) >= 0:
        out = subprocess.run(["zstd", "-dcq"], input=data[at:], capture_output=True).stdout
        sys.stdout.buffer.write(out)
        at += 4
' "$@"; }
if command -v zstd >/dev/null; then
	"$heddle" pack -q -o tells.pack out/tells-1.heddle >pack.out 2>&1; report "it is packed" $?
	inflate out/*/* tells.pack >parts.raw
	grep -qaF TELLER_MODE=loud parts.raw; report "parts are seen as they are inside" $?
else
	skip "it is packed" "no zstd"
	skip "parts are seen as they are inside" "no zstd"
fi
# The program's own output, seen live, is not heddle's.
leaks=$(grep -rlaF -e "$secret" . | grep -vE '^./(record|stable).out$')
[ -z "$leaks" ] || show <<<"$leaks"
[ -z "$leaks" ]; report "the secret is in no file" $?
leaks=$(grep -rlaF -e "$other" .)
[ -z "$leaks" ] || show <<<"$leaks"
[ -z "$leaks" ]; report "what the program does not ask for is in no file" $?
grep -q 'TELLER_MODE=loud' info.json; report "what it asks for is kept" $?
open=$(find out stable.log -perm /077)
[ -z "$open" ] || show <<<"$open"
[ -z "$open" ]; report "nobody else may read what was recorded" $?
"$heddle" replay --times=20 out/tells-1.heddle >replay.out 2>&1
grep -q '20 of 20 identical' replay.out; report "it replays with the stand-in" $?
env -u MY_API_TOKEN "$heddle" replay --times=20 out/tells-1.heddle >replay.out 2>&1
grep -q '20 of 20 identical' replay.out; report "also where there is no secret" $?
"$heddle" info --redact -o redacted.heddle out/tells-1.heddle >redact.out 2>&1
status=$?; [ $status -eq 0 ] && grep -qE '^taken out: [1-9][0-9]* environment variables, 2 arguments, ' redact.out || { show redact.out; status=1; }
report "redact: it says what it takes out" $status
"$heddle" info --json redacted.heddle >redacted.json && ! grep -qE "TELLER_MODE|\"x\"|$(realpath .)|/usr" redacted.json
status=$?; [ $status -eq 0 ] || show <(grep -nE "TELLER_MODE|\"x\"|$(realpath .)|/usr" redacted.json)
report "redact: no environment, arguments and directories" $status
"$heddle" info --events redacted.heddle >redacted.events && "$heddle" info --events out/tells-1.heddle | cmp - redacted.events
report "redact: the events are the same" $?
"$heddle" replay redacted.heddle >redact.out 2>&1; [ $? -eq 3 ] && grep -q 'does not say how to start' redact.out
report "redact: it is not replayed" $?
"$heddle" info --redact -o redacted.heddle out/tells-1.heddle >redact.out 2>&1; [ $? -eq 3 ]
report "redact: what is there is not replaced" $?
"$heddle" check --env=MY_API_TOKEN -o given --runs=2000 ./tells x y >given.out 2>given.err
"$heddle" info --json given/tells-1.heddle | grep -q "$secret"; report "--env keeps what is asked for" $?
grep -q MY_API_TOKEN given.err; [ $? -eq 1 ]; report "and says nothing then" $?
rm -rf given
unset MY_API_TOKEN TELLER_MODE UNRELATED_NAME
