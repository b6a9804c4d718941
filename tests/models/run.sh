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

# Nobody may ask for a model by name but those who know why: SC is the strongest one.
named()
{
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
if ! { cmake -S "$tree" -B "$tree/build" -G Ninja && ninja -C "$tree/build" --quiet heddle heddle-cc heddle_rt; } \
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
exit $failed
