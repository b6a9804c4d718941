# What executions show is never missing: races of programs of other suites, and of random ones.

# places FILTER: pairs of lines, each "LOW HIGH", sorted.
places() { jq -r "$1 | sort | \"\(.[0]) \(.[1])\"" "$2" 2>/dev/null | sort -u; }

# shown NAME BINARY: every race of it is listed.
shown()
{
	timeout 60 "$heddle" check -q --json --all --races=warn --time=5 -o found "$2" >check.json 2>err \
		</dev/null
	rm -rf found
	places '.races[]? | [.accesses[].site.line]' check.json >shown.txt
	analyze "$2"
	places '.races[] | [.a.line, .b.line]' out.json >listed.txt
	[ $status -eq 0 ] || [ $status -eq 1 ] || [ $status -eq 4 ] || return 1
	if [ -n "$(comm -23 shown.txt listed.txt)" ] && [ $status -ne 4 ]; then
		echo "$1 ($status): not listed: $(comm -23 shown.txt listed.txt | tr '\n' ';')" | show
		return 1
	fi
	total=$((total + $(wc -l <shown.txt)))
}

total=0
wrong=0
for file in "$root"/tests/targets/buggy/{memcpy_torn,timedlock_ignored,random_transfer,bitfield}.c \
	"$root"/tests/truth/programs/{byval_shared,state_ctime,copy_torn,heap_realloc_grows_unlocked}.c; do
	name=$(basename "$file" .c)
	"$bin/heddle-cc" -g -O1 -o "$name" "$file" >log 2>&1 && shown "$name" "./$name" || wrong=1
done
report "races of other suites' programs are listed" $wrong

wrong=0
for seed in $(seq 1 "${ANALYZE_RANDOM:-40}"); do
	python3 "$here/generate.py" "$seed" >random.c
	"$bin/heddle-cc" -g -w -o random random.c >log 2>&1 && shown "seed $seed" ./random || wrong=1
done
report "races of random programs are listed" $wrong
# A few programs may have few.
[ "$total" -ge $([ -n "${ANALYZE_RANDOM-}" ] && echo 1 || echo 20) ]
report "there were $total of them" $?
