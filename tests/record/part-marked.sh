# A recording of everything and one of marked points only: the same reconstruction (marked.c says how).
# In the short form a part of the targets, in the long form all.
${CC:-gcc} -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter -Werror -D_GNU_SOURCE -I"$root/src" \
	-isystem "$(llvm-config-19 --includedir)" -o marked "$TEST_HERE/marked.c" \
	-L"$TEST_BUILD/src" -lroom_symex -lroom_instr -lroom_ir -lroom_solve -lroom_model \
	-lroom_trace -lroom_base -L"$(llvm-config-19 --libdir)" -lLLVM-19 -lzstd -ljansson -lm -ldl \
	-lstdc++ 2>log || { show log; not_ok record/marked-compared; }

# marked_one FILE
marked_one()
{
	local file=$1 name flags cc=cc compiler=heddle-cc
	name=$(basename "$file")
	flags=$(sed -nE 's/^ \* flags: *//p' "$file")
	[ "${file##*.}" = c ] || { cc=c++; compiler=heddle-c++; }
	# shellcheck disable=SC2086
	"$heddle" $cc --flavor=record --mark=all -O1 -g -pthread -DN=3 -I"$root/include" $flags -o all.prog "$file" 2>log &&
		"$bin/$compiler" -O1 -g -pthread -DN=3 -I"$root/include" $flags -o check.prog "$file" 2>>log &&
		"$bin/heddle-deps" --marks check.prog >marks.bin 2>>log ||
		{ show log; not_ok "record/marked-$name"; return; }
	rm -rf all.rec
	timeout -k 5 10 "$heddle" record --keep=all -q -o all.rec ./all.prog >/dev/null 2>&1 </dev/null
	[ -d all.rec ] || { skip "record/marked-$name" "it does not end by itself"; return; }
	timeout 60 ./marked all.rec check.prog marks.bin >log 2>&1
	case $? in
	0) ok "record/marked-$name ($(head -n 1 log))" ;;
	4) skip "record/marked-$name" "not followed: $(head -n 1 log)" ;;
	124) skip "record/marked-$name" "too long to be executed again" ;;
	*) show log; not_ok "record/marked-$name" ;;
	esac
}
number=0
for file in "$root"/tests/targets/*/*.c*; do
	number=$((number + 1))
	[ -z "${RECORD_PROGRAMS-}" ] || break
	[ -n "${TEST_LONG-}" ] || [ $((number % 8)) -eq 5 ] || continue
	marked_one "$file"
done
for name in ${RECORD_PROGRAMS:-fine handed owners neighbours sharedarg copied inputs logged asks}; do
	marked_one "$(ls "$TEST_HERE/programs/$name".c*)"
done

# What the analysis takes to be in the log is logged: the runtime has each of those functions.
missing=
while read -r symbol; do
	nm -D "$TEST_BUILD/lib/heddle/libheddle-record.so" | grep -q " T $symbol\$" || missing="$missing $symbol"
done < <(sed -nE 's/^X\((\w+), (\w+)\)/\2 \1/p' "$root/src/wire/input_calls.def" | sed -n '/^NONE /!s/.* //p')
[ -z "$missing" ] || echo "   $missing"
report record/logged-functions-are-there $([ -z "$missing" ]; echo $?)
