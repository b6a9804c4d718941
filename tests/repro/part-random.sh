# Random programs (../check_random), each with an assertion that fails in one of its final states: the
# failure is found again, and under no weaker model than the oracle has it.
random=$root/tests/check_random
random_build() # DIR SEED PROGRAMS THREADS OPERATIONS FEATURES
{
	mkdir -p "$1"
	cc -O2 -o generate "$random/generate.c" &&
		./generate "$2" "$3" "$4" "$5" "$6" >"$1/batch.c" &&
		cc -O1 -w -DENUMERATE -I"$random" -o "$1/oracle" "$1/batch.c" "$root"/tests/check/enumerate*.c &&
		"$1/oracle" "$1/sets.h" >"$1/oracle.txt" &&
		"$bin/heddle-cc" -O1 -g -pthread -w -I"$random" -I"$root/include" \
			-DBATCH_SETS="\"$PWD/$1/sets.h\"" -o "$1/batch" "$1/batch.c"
}

# state DIR NUMBER MODEL: one of the oracle's states that stronger models do not have, if there is one
state()
{
	python3 - "$@" <<'END'
import re, sys
text = open(sys.argv[1] + "/sets.h").read()
def states(model):
    m = re.search(r"set_%s_%s\[\][^{]*\{([^}]*)\}" % (sys.argv[2], model), text)
    return re.findall(r"(\d+)u", m.group(1)) if m else []
models = ["sc", "tso", "pso"]
seen = set()
for model in models[:models.index(sys.argv[3])]:
    seen |= set(states(model))
own = [s for s in states(sys.argv[3]) if s not in seen]
print(own[int(sys.argv[2]) * 7 % len(own)] if own else "")
END
}

random_group() # NAME SEED PROGRAMS THREADS OPERATIONS FEATURES
{
	local name=$1 dir=random-$1 number model rest item line good=0 all=0
	shift
	random_build "$dir" "$@" >log 2>&1 || { show log; not_ok "random $name builds"; return; }
	line=$(grep -n 'heddle_assert(state != target)' "$random/batch.h" | cut -d: -f1)
	: >"$dir/wrong"
	while read -r number model rest <&3; do
		item=$(state "$dir" "$number" "$model")
		[ -n "$item" ] || continue
		all=$((all + 1))
		rm -rf r.rec
		./make_recording r.rec 3 6 batch.h "$line" - check "$dir/batch" "$number" not "$model" "$item"
		"$heddle" reproduce -q --json --replays=20 -o "out-$dir" r.rec >out.json 2>err
		if [ $? -eq 1 ] && [ "$(field model)" = "$model" ]; then
			good=$((good + 1))
		else
			echo "$number $model $item: $(field model) $(field text)" >>"$dir/wrong"
		fi
	done 3< <(grep -v -- ' - - - -' "$dir/oracle.txt")
	show "$dir/wrong" | head -n 10
	[ "$all" -gt 0 ] && [ $((good * 100)) -ge $((all * 99)) ]
	report "random $name: $good of $all reproduced under the model they need" $?
}

n=$([ -n "${TEST_LONG-}" ] && echo 40 || echo 6)
random_group accesses 101 $n 3 4 bi
random_group locks 102 $n 3 4 bl
random_group conditions 103 $n 3 3 lc
random_group semaphores 104 $n 3 4 bsm
