# One file for a colleague: another name, directory, user and place for temporary files.
cp "$TEST_HERE/programs/sends.cc" .
mkdir -p away tmp elsewhere && chmod 711 "$TEST_TMP" . && chmod 1777 tmp
unset MY_TOKEN
"$heddle" c++ -g -O1 -pthread -o sends sends.cc && echo "hello" >in.txt
"$heddle" check --stdin=in.txt --runs=2000 ./sends one two >check.out 2>&1
[ $? -eq 1 ]; report "pack: the program fails" $?
TMPDIR=$PWD/tmp "$heddle" pack heddle-out/sends-1.heddle >pack.out 2>&1
status=$?; [ $status -eq 0 ] || show pack.out
report "pack: a pack is made" $status
grep -q '3 of 3 identical' pack.out; report "pack: and was replayed from" $?
[ "$(stat -c %a sends-1.heddle-pack)" = 600 ] && [ -z "$(ls tmp)" ]; report "pack: it is its owner's, and nothing else is left" $?
"$heddle" pack heddle-out/sends-1.heddle >again.out 2>&1; [ $? -eq 3 ] && grep -q 'exists already' again.out
report "pack: an older one is not replaced" $?

mv sends sends.cc in.txt heddle-out away/
mv sends-1.heddle-pack elsewhere/from-you && cd elsewhere || exit 3
TMPDIR=$PWD/../tmp "$heddle" replay --times=100 from-you >replay.out 2>&1
[ $? -eq 1 ] && grep -q '100 of 100 identical' replay.out; status=$?; [ $status -eq 0 ] || show replay.out
report "pack: it replays elsewhere, without what it was made of" $status
"$heddle" replay from-you >out.txt 2>report.txt; [ $? -eq 1 ] && grep -q '^hello' out.txt && grep -q 'assert(total == 2)' report.txt
status=$?; [ $status -eq 0 ] || show out.txt report.txt
report "pack: with its input and its sources" $status
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null &&
	setpriv --reuid=65534 --clear-groups test -x "$heddle" -a -w "$PWD/../tmp"; then
	cp from-you ../tmp/theirs && chmod 644 ../tmp/theirs
	(cd ../tmp && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ TMPDIR="$PWD" \
		"$heddle" replay --times=100 theirs) >replay.out 2>&1
	grep -q '100 of 100 identical' replay.out; status=$?; [ $status -eq 0 ] || show replay.out
	rm ../tmp/theirs
	report "pack: another user replays it" $status
else
	skip "pack: another user replays it" "needs root, and a build that others can read"
fi
TMPDIR=$PWD/../tmp "$heddle" info from-you >info.out && grep -q "^program  *$(realpath ..)/sends one two" info.out
report "pack: info shows it under its own names" $?
TMPDIR=$PWD/../tmp "$heddle" explain from-you >explain.out 2>&1; [ $? -eq 1 ] && grep -q 'replay:  heddle replay from-you' explain.out
status=$?; [ $status -eq 0 ] || show explain.out
report "pack: explain runs it" $status
if command -v gdb >/dev/null; then
	TMPDIR=$PWD/../tmp "$heddle" replay --gdb from-you -- -batch -ex 'info source' </dev/null >gdb.out 2>&1
	grep -q 'Located in .*/source/.*/sends.cc' gdb.out; status=$?; [ $status -eq 0 ] || show gdb.out
	report "pack: gdb finds its sources" $status
else
	skip "pack: gdb finds its sources" "no gdb"
fi
[ -z "$(ls ../tmp)" ] || show <(ls ../tmp)
[ -z "$(ls ../tmp)" ]; report "pack: nothing is left behind" $?

for bytes in 3 14 1000 200000; do
	head -c $bytes from-you >cut
	"$heddle" replay cut >/dev/null 2>cut.err; [ $? -eq 3 ] && [ "$(wc -l <cut.err)" -eq 1 ] || show cut.err
done >wrong.txt
[ ! -s wrong.txt ] || show wrong.txt
[ ! -s wrong.txt ]; report "pack: one that is cut short is refused" $?
cd ../away && printf x >>sends && "$heddle" pack -o x heddle-out/sends-1.heddle >x.out 2>&1
[ $? -eq 3 ] && ! [ -e x ]; report "pack: a program that is gone is an error" $?
cd .. && mv away/sends . && "$heddle" pack -o x away/heddle-out/sends-1.heddle >x.out 2>&1
[ $? -eq 3 ] && grep -q 'not the recorded one' x.out && ! [ -e x ]; report "pack: one that was built anew, too" $?
