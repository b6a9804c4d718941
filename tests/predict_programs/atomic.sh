#!/bin/bash
# Marked blocks.  Programs under ../predict/programs/atomic say in their head which
# unserialisable pattern is expected ("expect RWR") or that there is none.
set -u
. "$(dirname "$0")/../lib.sh"
programs=$root/tests/predict/programs/atomic
tmp=$TEST_TMP/atomic
mkdir -p "$tmp"
if ! command -v jq >/dev/null; then
	echo "skip atomic jq is not installed"
	exit 0
fi

# findings ARGUMENT...: what heddle predict finds, one line "kind block pattern confirmed" each.
findings()
{
	"$heddle" predict --confirm --all --json "$@" >"$tmp/json" 2>"$tmp/log"
	status=$?
	jq -r '.files[].findings[] | select(.answer == "feasible") | "\(.kind) \(.block // "-") " +
		((.why | capture("pattern (?<p>[A-Z]+)")?).p // "-") + " \(.confirmed)"' \
		"$tmp/json" 2>>"$tmp/log" | sort -u
	[ $status -le 1 ]
}

# A pattern that is expected is predicted from the kind of block it belongs to, and happens when the
# program is run along the witness; nothing else is predicted.
first_schedule()
{
	local block="annotated block" found

	[ "$name" = guessed ] && block="two consecutive critical sections of one lock"
	"$heddle" run -q --strategy=dfs -o "$tmp/$name.heddle" "$tmp/$name" >"$tmp/log" 2>&1 || return 1
	found=$(findings "$tmp/$name.heddle") || return 1
	echo "$found" >>"$tmp/log"
	[ "$pattern" = none ] && [ -z "$found" ] || [ "$found" = "atomicity $block $pattern true" ]
}

# In any schedule: only that pattern, and every prediction happens.
other_schedules()
{
	local found

	for seed in $(seq 1 12); do
		found=$(findings --seed="$seed" "$tmp/$name") || return 1
		[ -z "$found" ] || [[ $found == "atomicity "*" $pattern true" ]] || return 1
	done
}

for source in "$programs"/*.c; do
	name=$(basename "$source" .c)
	pattern=$(sed -n 's/^ \* expect \([A-Z]*\|none\)$/\1/p' "$source")
	if ! "$heddle" cc -g -O1 -Wall -Wextra -Werror -o "$tmp/$name" "$source" -pthread >"$tmp/log" 2>&1; then
		show "$tmp/log"
		not_ok "atomic $name builds"
		continue
	fi
	if first_schedule; then
		ok "atomic $name is $pattern"
	else
		tail -n 12 "$tmp/log" | show
		not_ok "atomic $name is $pattern"
	fi
	other_schedules
	report "atomic $name is at most $pattern in other schedules" $?
done

# ---- the macro by itself ----
cat >"$tmp/plain.c" <<'EOF'
#include <heddle/heddle.h>
int main(void)
{
	int x = 0;

	heddle_atomic_begin("x");
	x++;
	heddle_atomic_end();
	if (x)
		heddle_atomic_begin("y");
	else
		heddle_atomic_end();
	return x - 1;
}
EOF
cp "$tmp/plain.c" "$tmp/plain.cc"
for compiler in gcc g++ clang-19 clang++-19; do
	command -v "$compiler" >/dev/null || continue
	case $compiler in *++*) source=$tmp/plain.cc ;; *) source=$tmp/plain.c ;; esac
	for level in -O0 -O2; do
		"$compiler" -pedantic -Wall -Wextra -Werror $level -I"$root/include" -o "$tmp/plain" \
			"$source" && "$tmp/plain"
		report "atomic marks without heddle, $compiler $level" $?
	done
done

# Marks are no steps: neither the number of schedules nor what a weak model allows changes.
cat >"$tmp/sb.c" <<'EOF'
#include <assert.h>
#include <pthread.h>
#ifdef MARKED
#include <heddle/heddle.h>
#else
#define heddle_atomic_begin(name) ((void)0)
#define heddle_atomic_end() ((void)0)
#endif
static volatile int x, y, a, b;
static void *other(void *arg)
{
	x = 1;
	heddle_atomic_begin("between");
	a = y;
	heddle_atomic_end();
	return arg;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	y = 1;
	heddle_atomic_begin("between");
	b = x;
	heddle_atomic_end();
	pthread_join(t, NULL);
	assert(a || b);
	return 0;
}
EOF
"$heddle" cc -O1 -o "$tmp/bare" "$tmp/sb.c" -pthread
"$heddle" cc -O1 -DMARKED -o "$tmp/marked" "$tmp/sb.c" -pthread
for model in sc tso; do
	for program in bare marked; do
		"$heddle" check --strategy=dfs --preemptions=8 --keep-going --model=$model --json \
			-o "$tmp/out.$program.$model" "$tmp/$program" >"$tmp/$program.json" 2>/dev/null
		echo $? >"$tmp/$program.status"
		jq '[.runs, .failures]' "$tmp/$program.json" >"$tmp/$program.count"
	done
	cmp -s "$tmp/bare.count" "$tmp/marked.count" && cmp -s "$tmp/bare.status" "$tmp/marked.status" &&
		[ "$(cat "$tmp/marked.status")" -eq "$([ $model = tso ] && echo 1 || echo 0)" ]
	report "atomic marks change nothing under $model" $?
done
exit $failed
