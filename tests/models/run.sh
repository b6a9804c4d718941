#!/bin/bash
# docs/howto/add-a-memory-model.md, followed: a copy of the sources gets one more row in
# wire/models.def, a model with the properties of PSO under another name, and every command must know
# it.  Builds everything anew, so only with TEST_LONG=1.
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 2
here=$(cd "$(dirname "$0")" && pwd)

# Nobody may ask for a model by name but those who know why: SC is the strongest one.  Nor may anybody
# count them, or list them for an option.
named()
{
	git -C "$root" grep -nE '\<MODEL_(TSO|PSO)\>|"(auto\|)?sc\|tso|models\[[0-9]+\];' -- 'src/*.[ch]' |
		grep -v 'src/model/memory_model.h'
	git -C "$root" grep -nE '([!=]=|[<>]=?) *MODEL_(SC|TSO|PSO)\>' -- 'src/*.[ch]' |
		grep -vE 'needs|found|[a-z ]model == MODEL_SC && i <'
}
named >"$TEST_TMP/log"
[ ! -s "$TEST_TMP/log" ] || { show "$TEST_TMP/log"; false; }
report "models are asked for their properties, not their names" $?

if [ -z "${TEST_LONG-}" ]; then
	skip "a model from one row" "only with TEST_LONG=1"
	exit $failed
fi
tree=$TEST_TMP/tree
mkdir -p "$tree"
(cd "$root" && git ls-files -z | xargs -0 cp --parents -t "$tree" 2>/dev/null)
echo 'MODEL(XSO, 3, "xso", "experimental store order", true, true)' >>"$tree/src/wire/models.def"
if ! { cmake -S "$tree" -B "$tree/build" -G Ninja && ninja -C "$tree/build" --quiet heddle heddle-cc heddle_rt \
	heddle-deps heddle-solve heddle-record; } \
	>"$TEST_TMP/log" 2>&1; then
	show "$TEST_TMP/log"
	not_ok "builds with one more model"
	exit 1
fi
bin=$tree/build/bin
heddle=$bin/heddle
cd "$TEST_TMP" || exit 3

# Stores that overtake each other: fails under PSO, not under TSO.
"$bin/heddle-cc" -g -O1 -pthread -o publish "$here/publish.c" || not_ok "publish builds"

# states MODEL [ALGORITHM]
states()
{
	"$heddle" check --algorithm="${2-learn}" --all --json --model="$1" -o "out-$1" ./publish |
		jq .states
}

"$heddle" check --help | grep -q 'sc|tso|pso|xso'
report "check offers it" $?
[ "$(states xso)" = "$(states pso)" ] && [ "$(states xso)" != "$(states tso)" ]
report "check finds as many behaviours as under its twin" $?
"$heddle" check --model=xso -o found ./publish >text
[ $? -eq 1 ] && grep -q 'memory model XSO' text && grep -q 'no such failure in .* under' text
report "a failure is reported under it, with what it needs" $?
bundle=$(ls -d found/*.heddle)
"$heddle" info "$bundle" | grep -q 'xso (experimental store order)'
report "info knows it" $?
"$heddle" replay --times=3 "$bundle" | grep -q '3 of 3 identical'
report "replay follows it" $?
"$heddle" run --model=xso -o run.heddle ./publish >/dev/null 2>&1
"$heddle" info --json run.heddle | jq -e '.model == "xso"' >/dev/null
report "run records it" $?
[ "$(states xso complete)" = "$(states pso complete)" ] &&
	[ "$(states xso dfs)" = "$(states pso dfs)" ] && [ "$(states xso dfs)" != "$(states tso dfs)" ]
report "the other algorithms know it" $?
"$heddle" explain "$bundle" >text 2>&1
status=$?
[ $status -eq 1 ] || [ $status -eq 4 ]
report "explain takes a recording of it" $?
"$heddle" record --help | grep -q 'sc|tso|pso|xso' && "$heddle" reproduce --help | grep -q 'auto|sc|tso|pso|xso'
report "record and reproduce offer it" $?
"$heddle" cc --flavor=record -g -O1 -pthread -o wrong "$here/wrong.c" &&
	"$heddle" record -q -o wrong.rec ./wrong >/dev/null 2>&1
for method in solve search; do
	"$heddle" reproduce --method=$method --model=xso --replays=3 -o "$method" wrong.rec >text
	[ $? -eq 1 ] && grep -q "by $method in" text
	report "reproduce --method=$method looks under it" $?
done
exit $failed
