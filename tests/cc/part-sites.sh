# Sourced by run.sh: the programs of sites/.  Lines marked "//= op name; op name" list what the hooks
# on that line must report when the program runs, no more and no less; "//= nothing" lists nothing.
# "/* spin */" marks the lines, all of them, that end an iteration of a loop that may only be waiting.

expected_sites()
{
	awk '/\/\/= / { text = $0; sub(/.*\/\/= /, "", text); sub(/ *\/\* spin.*/, "", text)
		n = split(text, list, "; ")
		for (i = 1; i <= n; i++) print FNR, list[i] }' "$1" | sort -u
}

# op kind file:line:column function size=… flags=… name=…  ->  line op name, marked lines only
reported_sites()
{
	local marked
	marked=$(grep -n '//= ' "$1" | cut -d: -f1 | tr '\n' ' ')
	awk -v file="$1" -v marked="$marked" '
		BEGIN { n = split(marked, m, " "); for (i = 1; i <= n; i++) want[m[i]] = 1 }
		/^(module|function|site|enter|branch)/ { next }
		{ place = $3; sub(/:[0-9]+$/, "", place); line = place; sub(/.*:/, "", line)
		  sub(/:[0-9]+$/, "", place)
		  if (place != file || !(line in want)) next
		  told[line] = 1; name = $0; sub(/.* name=/, "", name); print line, $1, name }
		END { for (i in want) if (!(i in told)) print i, "nothing" }' "$2" | sort -u
}

for source in "$here"/sites/*.c "$here"/sites/*.cc; do
	name=$(basename "$source")
	for level in -O0 -O2 "-O2 -g"; do
		tag="$name ${level// /}"
		$(plain_for "$name") -w $level -pthread "$source" -o plain -lm -latomic 2>err || { show err; not_ok "$tag plain"; continue; }
		if ! $(compiler_for "$name") -w $level -pthread "$source" -o ours -lm -latomic 2>err; then
			show err
			not_ok "$tag builds"
			continue
		fi
		timeout 20 ./plain >plain.out 2>&1; echo "status $?" >>plain.out
		timeout 20 ./ours >ours.out 2>&1; echo "status $?" >>ours.out
		cmp -s plain.out ours.out
		report "$tag behaves as usual without heddle" $?
		HEDDLE_ACTIVE=1 STUB_LOG=log timeout 60 ./ours >active.out 2>&1
		echo "status $?" >>active.out
		diff plain.out active.out >diff.out
		report "$tag behaves the same through the hooks" $?
		expected_sites "$source" >expected
		reported_sites "$source" log >reported
		if ! diff expected reported >diff.out; then
			show diff.out
			not_ok "$tag reports its sites"
		else
			ok "$tag reports its sites"
		fi
		grep -n '/[*] spin [*]/' "$source" | cut -d: -f1 >expected
		sed -n "s|^site spin-park $source:||p" log | sort -nu >reported
		if diff expected reported >diff.out; then
			ok "$tag marks loops without state"
		else
			show diff.out
			not_ok "$tag marks loops without state"
		fi
	done
done

grep -q '^function app::Derived::f$' log && grep -q ' app::Queue<.*>::push size=' log
report "functions of C++ are named with their scope" $?

# Nothing depends on where the compiler put its objects: the same source, the same binary.
bad=0
for i in 1 2 3 4 5 6; do
	$(compiler_for names.c) -w -O2 -pthread "$here/sites/names.c" -o "again$i" 2>err || bad=1
	cmp again1 "again$i" || bad=1
done
report "the same source gives the same binary" $bad
