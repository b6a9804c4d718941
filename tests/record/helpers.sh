# What the parts of this suite share.

# build NAME [FLAG...]: the program in the record flavour and, as NAME.plain, by the compiler alone.
build()
{
	local name=$1 source cc=cc plain=clang-19
	shift
	source=$(ls "$TEST_HERE/programs/$name".c*)
	[ "${source##*.}" = c ] || { cc=c++; plain=clang++-19; }
	"$heddle" $cc --flavor=record -O2 -pthread -o "$name" "$source" "$@" 2>log || { show log; return 1; }
	$plain -O2 -pthread -I"$root/include" -o "$name.plain" "$source" "$@" 2>log || { show log; return 1; }
}

# key FILE NAME: a value of the recording's JSON.
key() { "$heddle" info --json "$1" 2>>log | jq -r "$2"; }

# failing NAME STATUS KIND [ARGUMENT...]: output and status are those of the plain program.
failing()
{
	local name=$1 status=$2 kind=$3 got
	shift 3
	build "$name" || { not_ok "record/$name"; return; }
	rm -rf out.rec
	"./$name.plain" "$@" >plain.out 2>/dev/null
	"$heddle" record -o out.rec "./$name" "$@" >record.out 2>record.err
	got=$?
	if [ "$got" -ne "$status" ]; then
		echo "    status $got"; show record.err; not_ok "record/$name"
	elif ! cmp -s plain.out record.out; then
		not_ok "record/$name (output)"
	elif ! grep -q 'recording: out.rec' record.err; then
		show record.err; not_ok "record/$name (path)"
	elif [ "$(key out.rec .failure.kind)" != "$kind" ]; then
		"$heddle" info out.rec | show; not_ok "record/$name (kind)"
	else
		ok "record/$name"
	fi
}
