# The published order: its examples, row by row, against what enumeration says of them.

published() # DIRECTORY OPTIONS PROGRAM...
{
	local out=$1
	shift
	"$heddle" hunt --json --order=published --method=paths --time=60 -o "$out" "$@" >out.json 2>err
	status=$?
}

rows() { jq -r '.tried[] | [(.flips | join("+")), .result, .paths] | join(" ")' out.json; }

# Every row of a table "T1 T2 result" that was tried has the result it should have.
agrees() # TABLE
{
	local t1 t2 result want bad=0 seen=0

	while read -r t1 t2 result; do
		want=$(awk -v a="$t1" -v b="$t2" '$1 "" == a "" && $2 "" == b "" { print $3 }' "$1")
		[ -n "$want" ] || continue
		seen=$((seen + 1))
		[ "$want" = "$result" ] && continue
		echo "    $t1 $t2: $result, not $want"
		bad=1
	done < <(jq -r '.tried[] | .result as $r | .paths | capture("T1:(?<a>[01]*) T2:(?<b>[01]*)") |
		[(.a), (.b), $r] | join(" ")' out.json)
	[ $seen -gt 2 ] && [ $bad = 0 ]
}

# Three runs of the first example: T1 T2 as bits.
collect_toy()
{
	local seed paths
	mkdir -p three
	for seed in $(seq 1 60); do
		"$heddle" record -q --backend=sim --seed="$seed" --keep=all -o one.rec ./toy >/dev/null 2>&1
		published one.out one.rec
		paths=$(jq -r '.tried[0].paths' out.json)
		# Alone, a run that does not write y has no branch on it.
		case $paths in
		"T0: T1:1 T2:0") mv one.rec three/1.rec 2>/dev/null ;;
		"T0: T1:10 T2:1") mv one.rec three/2.rec 2>/dev/null ;;
		"T0: T1:0 T2:") mv one.rec three/3.rec 2>/dev/null ;;
		esac
		rm -rf one.rec one.out
		[ -d three/1.rec ] && [ -d three/2.rec ] && [ -d three/3.rec ] && return 0
	done
	return 1
}

build toy 0
cat >toy.table <<'END'
00 0 passes
00 1 infeasible
01 0 infeasible
01 1 infeasible
10 0 passes
10 1 passes
11 0 infeasible
11 1 fails
END
collect_toy
report "toy: three runs with paths of their own" $?
published toy.three -D 3 -N 1 three
[ "$status" -eq 1 ] && [ "$(jq -r '.found[0] | [.assertion.line, .tries, .flips] | join(" ")' out.json)" = "14 2 2" ]
report "toy: two flips, at the second try" $?
[ "$(rows | sed 1,3d | head -n 2)" = "toy.c:12 infeasible T0: T1:11 T2:0
toy.c:12+toy.c:21 fails T0: T1:11 T2:1" ]
report "toy: flips in the published order, by canonical distances" $?
# Beside the run it came from: what the two threads read, and the branches that go another way.
passing=$(field '.found[0].passing')
"$heddle" replay -q "$passing" >replay.log 2>&1 &&
	"$heddle" explain --json --beside="$passing" -o toy.beside "$(field '.found[0].bundle')" >why.json 2>err
[ "$(jq -r '[.branches[] | "\(.place) \(.failing)\(.alternate)"] | sort | join(", ")' why.json)" = \
	"toy.c:12 10, toy.c:21 10" ] &&
	[ "$(jq -r '[.variations[], .other_variations[] | "\(.read) \(.failing_writer) \(.alternate_writer)"] |
		sort | join(", ")' why.json)" = "toy.c:12 toy.c:22 toy.c:11, toy.c:21 toy.c:10 null" ]
report "toy: beside the passing run it was derived from" $?
published toy.out --runs=6 ./toy
agrees toy.table
report "toy: combinations of paths as enumerated" $?

build exmcr 0
{
	echo "00 00 passes"
	for b in 010 100 1010; do echo "00 $b infeasible"; done
	for a in 01 10; do for b in 00 010 100 1010; do echo "$a $b passes"; done; done
	for b in 11 011 1011; do for a in 00 01 10; do echo "$a $b infeasible"; done; echo "11 $b fails"; done
} >exmcr.table
published exmcr.out --runs=3 -D 4 -N 1 ./exmcr
[ "$status" -eq 1 ] && [ "$(jq -r '.found[0].assertion.line' out.json)" = 27 ] && [ "$(jq -r '.found[0].tries' out.json)" -le 6 ]
report "exmcr: found with four branches and one path each" $?
agrees exmcr.table
report "exmcr: combinations of paths as enumerated" $?
