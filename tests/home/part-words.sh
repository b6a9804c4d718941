# Words: completion, what was meant, settings, the doctor.
"$heddle" chekc >out.txt 2>&1; [ $? -eq 2 ] && grep -q "did you mean 'check'" out.txt; report "a mistyped command" $?
"$heddle" check --tiem=3 x >out.txt 2>&1; [ $? -eq 2 ] && grep -q 'did you mean --time?' out.txt; report "a mistyped option" $?
HEDDLE_LGO=1 "$heddle" info x 2>&1 | grep -q 'did you mean HEDDLE_LOG'; report "a mistyped variable" $?
HEDDLE_ZEBRA=1 "$heddle" info x 2>&1 | grep -q 'unknown environment variable HEDDLE_ZEBRA$'; report "an unknown one" $?
"$heddle" help --all >all.txt; status=$?
for command in check run replay info predict record reproduce stable doctor config completion; do
	grep -q "^usage: heddle $command " all.txt || status=1
done
report "help --all has every command" $status

mkdir -p project/deep && cd project/deep || exit 3
printf '# ours\n[check]\nruns = 77\nquiet=yes\n\n[replay]\ntimes = 3\n' >../heddle.conf
cp "$TEST_HERE/programs/fake_gtest.c" . && "$heddle" cc -g -pthread -o fake fake_gtest.c
[ "$("$heddle" check --json --test=Adds.Up ./fake | jq .runs)" = 77 ]; report "settings of the project are taken" $?
[ "$("$heddle" check --runs=5 --json --test=Adds.Up ./fake | jq .runs)" = 5 ]; report "the command line wins" $?
[ "$("$heddle" check --config=none --runs=6 --json --test=Adds.Up ./fake 2>/dev/null | jq .runs)" = 6 ] &&
	[ "$(HEDDLE_CONF=none "$heddle" config | wc -l)" = 1 ]; report "they can be left out" $?
"$heddle" config | tail -n +2 >said.txt && printf '[check]\nruns = 77\nquiet = yes\n\n[replay]\ntimes = 3\n' | cmp -s - said.txt
report "config prints what is set" $?
"$heddle" config --json check | jq -e '.settings | length == 2 and .[0].line == 3' >/dev/null; report "also as JSON" $?
[ "$("$heddle" config --all replay | grep -c '^#[a-z]')" -gt 5 ]; report "and with the defaults" $?
bad=0
for text in '[chekc]\nruns = 1' '[check]\nrnus = 1' '[check]\nruns = many' '[check]\nquiet = perhaps' 'runs = 1' '[check' '[check]\nruns'; do
	printf "$text\n" >../heddle.conf
	"$heddle" config >/dev/null 2>&1 && "$heddle" check ./fake >/dev/null 2>&1
	[ $? -eq 2 ] || { echo "    $text"; bad=1; }
done
report "settings that make no sense are refused" $bad
printf '[check]\nruns = 1\n' >../heddle.conf; chmod 666 ../heddle.conf
"$heddle" config 2>&1 | grep -q 'is not read'; report "a file that others may write is not read" $?
cd ../..

"$heddle" doctor >doctor.txt; status=$?
[ $status -eq 0 ] && grep -q '^ok *trial ' doctor.txt || show doctor.txt
report "the doctor's trial" $status
"$heddle" doctor --json | jq -e '.fit and (.facts | length > 8)' >/dev/null; report "as JSON" $?
HEDDLE_CLANG=/nonexistent "$heddle" doctor >doctor.txt; [ $? -eq 3 ] && grep -A1 '^MISSING *clang' doctor.txt | grep -q 'apt-get install'
report "a machine without clang, and how to mend it" $?

"$heddle" completion tcsh >/dev/null 2>&1; [ $? -eq 2 ]; report "no completion for other shells" $?
"$heddle" completion bash >heddle.bash
cat >try.bash <<'END'
. ./heddle.bash
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _heddle; echo "${COMPREPLY[*]}"; }
try heddle che
try heddle check --jun
try heddle check --model = p
try heddle check --stdin = heddle.b
try heddle help dia
try heddle check ./prog --mod
END
[ "$(bash try.bash | tr '\n' '/')" = "check/--junit=/pso/heddle.bash///" ]; report "bash completes" $?
for command in check replay record predict; do
	"$heddle" "$command" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'  | while read -r option; do
		grep -qE -- " $option=?[ ']" heddle.bash || echo "$command $option"
	done
done >missing.txt
[ ! -s missing.txt ] || show missing.txt
[ ! -s missing.txt ]; report "every option is in it" $?
if command -v zsh >/dev/null; then
	mkdir -p functions && "$heddle" completion zsh >functions/_heddle
	# The function as zsh loads it, with what it hands to zsh made visible.
	cat >try.zsh <<'END'
fpath=($PWD/functions $fpath)
autoload -Uz _heddle
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- ${(P)2} }
words=(heddle che) CURRENT=2; _heddle
words=(heddle check --annot) CURRENT=3; _heddle
END
	timeout 20 zsh -f try.zsh >zsh.txt 2>&1 </dev/null
	grep -q '^check:run a program' zsh.txt && grep -q -- '^--annotations=\[.*\]:annotations:(auto github off)$' zsh.txt
	report "zsh completes" $?
else
	skip "zsh completes" "no zsh"
fi
if command -v fish >/dev/null; then
	"$heddle" completion fish >heddle.fish
	HOME=$PWD fish --no-config -c 'source heddle.fish; complete -C "heddle chec"; complete -C "heddle check --annot"; complete -C "heddle check --model=ps"' >fish.txt 2>&1
	grep -q '^check	' fish.txt && grep -q -- '^--annotations=*	' fish.txt && grep -q -- '^--model=pso' fish.txt
	status=$?; [ $status -eq 0 ] || show fish.txt
	report "fish completes" $status
else
	skip "fish completes" "no fish"
fi

"$root/tools/draw-terminal" --check; report "the picture of the terminal is of the README" $?
"$root/tools/update-readme" --check >documents.txt 2>&1
status=$?; [ $status -eq 0 ] || show documents.txt
report "documents show what is printed" $status
