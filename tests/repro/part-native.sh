# Recorded natively while failing under real threads, then reproduced.
TRIES=${REPRO_TRIES:-400}

recorded() # NAME [ARGUMENT...]: NAME.native is a recording of a failing run
{
	local name=$1 i source hang=
	shift
	source=$(ls "$here/programs/$name".c*)
	case $source in
	*.cc) "$heddle" c++ --flavor=record -O1 -g "$source" -o "$name.prod" ;;
	*) "$heddle" cc --flavor=record -O1 -g "$source" -o "$name.prod" ;;
	esac >log 2>&1 || { show log; return 1; }
	[ "$name" = aget ] && hang=--hang=1
	for ((i = 0; i < TRIES; i++)); do
		timeout 5 "$heddle" record $hang -o "rec-$name" "./$name.prod" "$@" >log 2>&1
		[ -n "$(ls -d "rec-$name"/*.rec 2>/dev/null)" ] && return 0
	done
	return 2
}

native() # NAME [ARGUMENT...]
{
	recorded "$@"
	case $? in
	1) not_ok "$1: recorded"; return ;;
	2) skip "$1: recorded" "it did not fail in $TRIES runs"; return ;;
	esac
	"$heddle" reproduce -q --json -o "out-native-$1" "$(ls -d "rec-$1"/*.rec | head -n 1)" >out.json 2>err
	if [ $? -eq 1 ] && [ "$(field same_thread)" = True ]; then
		ok "$1: recorded natively, $(field text)"
	else
		show out.json err
		not_ok "$1: recorded natively"
	fi
}

# Computed in both encodings: all but the read-write constraints is the same.
solved()
{
	local encoding rest=

	recorded "$1" || { skip "$1: solved" "it did not fail in $TRIES runs"; return; }
	for encoding in plain core; do
		"$heddle" reproduce -q --json --method=solve --encoding=$encoding -o "out-solved-$1" \
			"$(ls -d "rec-$1"/*.rec | head -n 1)" >out.json 2>err
		if [ $? -ne 1 ]; then
			show out.json err
			not_ok "$1: solved, $encoding"
			return
		fi
		rest="$rest $(python3 -c 'import json; c = json.load(open("out.json"))["constraints"]
print(c["total"] - c["rw"], c["rw"])')"
	done
	set -- "$1" $rest
	[ "$2" = "$4" ] && [ "$5" -lt "$3" ]
	report "$1: solved from its paths, $3 read-write constraints, $5 by core" $?
}

if [ -n "${REPRO_PROGRAMS-}" ]; then
	for program in $REPRO_PROGRAMS; do
		native "$program"
	done
elif "$heddle" record --help >/dev/null 2>&1; then
	for program in beside ticking pfscan aget pbzip2 bbuf httpd_cache; do
		native $program
	done
	native racey 500
	solved counter
	if [ -n "${TEST_LONG-}" ]; then
		native racey 1000
		native racey 1500
		native sbuf
		native httpd_idle
		native httpd_log
	fi
else
	skip recorded_natively "there is no heddle record"
fi
