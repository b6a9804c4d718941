# Programs that are many tests; shares of them; what CI systems read.
programs=$TEST_HERE/programs
cp "$programs/fake_gtest.c" .
"$heddle" cc -g -pthread -o fake fake_gtest.c; report "a program with tests is built" $?
[ "$("$heddle" check --list-tests ./fake | tr '\n' ' ')" = "Adds.Up Adds.Wrong Locks.Cross " ]
report "tests are listed, without the disabled one" $?
"$heddle" check --each-test --runs=1000 --junit=each.xml ./fake >each.out 2>each.err
[ $? -eq 1 ]; report "findings in any test are findings" $?
grep -qE '^Adds.Up +clean ' each.out && grep -qE '^Adds.Wrong +failure ' each.out &&
	grep -qE '^Locks.Cross +failure ' each.out; report "every test has its verdict" $?
grep -q '^check: 3 tests, 1 clean, 2 with findings; 1 disabled$' each.out; report "and there is a sum" $?
ls heddle-out/fake.Adds.Wrong-1.heddle >/dev/null && ls heddle-out/fake.Locks.Cross-1.heddle >/dev/null
report "bundles are called after tests" $?
"$heddle" replay --times=20 heddle-out/fake.Locks.Cross-1.heddle 2>&1 | grep -q '20 of 20 identical'
report "and replay" $?
"$heddle" check --each-test --runs=1000 --json ./fake 2>/dev/null >each.json
jq -e '[.exit_code, (.tests | map(.exit_code)), (.tests[1].report.exit_code)] == [1, [0, 1, 1], 1]' each.json >/dev/null
report "JSON of every test is in one object" $?
"$heddle" check --each-test --runs=1000 --sarif ./fake 2>/dev/null | jq -e '.runs | length == 3' >/dev/null
report "SARIF has a run per test" $?
python3 - each.xml <<'END'
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
cases = {c.get("name"): [x.tag for x in c] for c in suite}
assert suite.get("tests") == "3" and suite.get("failures") == "2" and suite.get("errors") == "0"
assert cases == {"Adds.Up": [], "Adds.Wrong": ["failure"], "Locks.Cross": ["failure"]}, cases
END
report "JUnit has a case per test" $?
if /usr/bin/python3 -c "import junitparser" 2>/dev/null; then
	/usr/bin/python3 -c 'import junitparser as j, sys
x = j.JUnitXml.fromfile("each.xml")
assert [len(s) for s in x] == [3] and sum(bool(c.result) for s in x for c in s) == 2'
	report "the parser of another project reads it" $?
else
	skip "the parser of another project reads it" "no python3-junitparser"
fi
"$heddle" check --runs=1000 --test=Adds.Up ./fake >/dev/null 2>&1; report "one test by name" $?
"$heddle" check --test=Adds.Upp ./fake >/dev/null 2>near.err
[ $? -eq 2 ] && grep -q "did you mean 'Adds.Up'" near.err; report "a test that is not there is no clean test" $?
"$heddle" cc -g -pthread -o plain "$programs/tells.c" && "$heddle" check --each-test ./plain >/dev/null 2>plain.err
[ $? -eq 3 ] && grep -q 'GoogleTest or Catch2' plain.err; report "a program without tests is told so" $?

for i in 1 2; do
	"$heddle" check --each-test --runs=300 --shard=$i/2 --json ./fake 2>/dev/null | jq -r '.tests[].name'
done | sort >shards.txt
[ "$(tr '\n' ' ' <shards.txt)" = "Adds.Up Adds.Wrong Locks.Cross " ]; report "shards have every test once" $?
for i in 1 2 3; do
	"$heddle" check --runs=100 --shard=$i/3 --json --test=Adds.Up ./fake 2>/dev/null |
		jq -r '"\(.seed) \(.runs)"'
done >seeds.txt
[ "$(tr '\n' ' ' <seeds.txt)" = "1 33 34 33 67 34 " ]; report "shards draw every schedule once" $?
for bad in 0/2 3/2 1 1/0 a/b 1/2x -1/2; do
	"$heddle" check --runs=10 --shard=$bad ./plain >/dev/null 2>&1
	[ $? -eq 2 ] || echo "$bad"
done >bad.txt
[ ! -s bad.txt ]; report "shares that make no sense are refused" $?
"$heddle" check --shard=1/2 ./plain >/dev/null 2>&1; [ $? -eq 2 ]
report "an exhaustive search is not shared out" $?

# What is known is no news.
"$heddle" check --runs=1000 --test=Adds.Wrong --save-baseline=known.txt ./fake >/dev/null 2>&1; [ $? -eq 1 ] && [ -s known.txt ]
report "a baseline is written" $?
"$heddle" check --runs=1000 --test=Adds.Wrong --baseline=known.txt ./fake >base.out 2>&1
[ $? -eq 0 ] && grep -q 'no new failure.*1 finding is known already' base.out; report "what is in it does not fail" $?
"$heddle" check --runs=1000 --test=Locks.Cross --baseline=known.txt ./fake >base.out 2>&1; [ $? -eq 1 ]
report "what is not in it does" $?
sed 's/^static pthread_mutex_t a/\n\n&/' fake_gtest.c >moved.c && mv moved.c fake_gtest.c
"$heddle" cc -g -pthread -o fake fake_gtest.c
"$heddle" check --runs=1000 --test=Locks.Cross --save-baseline=locks.txt ./fake >/dev/null 2>&1
sed -i 's/^static pthread_mutex_t a/\n&/' fake_gtest.c && "$heddle" cc -g -pthread -o fake fake_gtest.c
"$heddle" check --runs=1000 --test=Locks.Cross --baseline=locks.txt ./fake >/dev/null 2>&1; report "it holds when lines move" $?
sed -i 's/pthread_mutex_lock(second)/if (second) &/' fake_gtest.c && "$heddle" cc -g -pthread -o fake fake_gtest.c
"$heddle" check --runs=1000 --test=Locks.Cross --baseline=locks.txt ./fake >/dev/null 2>&1; [ $? -eq 1 ]
report "and does not when they change" $?
echo 'deadlock:crosses' >supp.txt
"$heddle" check --runs=1000 --test=Locks.Cross --suppressions=supp.txt --json ./fake 2>/dev/null | jq -e '.known == 1 and .exit_code == 0' >/dev/null
report "suppressions work by kind and function" $?
echo 'race:crosses' >supp.txt
"$heddle" check --runs=1000 --test=Locks.Cross --suppressions=supp.txt ./fake >/dev/null 2>&1; [ $? -eq 1 ]
report "and for their kind only" $?
echo 'nonsense' >supp.txt
"$heddle" check --suppressions=supp.txt ./fake >/dev/null 2>supp.err; [ $? -eq 3 ] && grep -q 'supp.txt:1' supp.err
report "a bad line is told" $?
GITHUB_ACTIONS=true "$heddle" check --runs=1000 --test=Locks.Cross ./fake 2>notes.txt >/dev/null
grep -qE '^::error file=fake_gtest.c,line=[0-9]+(,col=[0-9]+)?,title=heddle%3A deadlock::' notes.txt
report "GitHub gets annotations" $?
"$heddle" check --runs=1000 --test=Locks.Cross ./fake 2>&1 >/dev/null | grep -q '^::'; [ $? -eq 1 ]
report "and others do not" $?

# The real frameworks, where they are.
if [ -e /usr/include/gtest/gtest.h ]; then
	"$heddle" c++ -g -O1 -pthread -o gtest_test "$programs/gtest_test.cc" -lgtest -lgtest_main &&
		"$heddle" check --each-test --runs=1000 ./gtest_test >gtest.out 2>&1
	[ $? -eq 1 ] && grep -qE '^Lazy.MadeOnce +failure' gtest.out && grep -qE '^Plain.Sum +clean' gtest.out
	report "GoogleTest" $?
else
	skip "GoogleTest" "no libgtest-dev"
fi
if [ -n "${TEST_LONG-}" ] && [ -e /usr/include/catch2/catch.hpp ]; then
	"$heddle" c++ -g -O1 -pthread -o catch_test "$programs/catch_test.cc" &&
		"$heddle" check --each-test --runs=1000 ./catch_test >catch.out 2>&1
	[ $? -eq 1 ] && grep -qE '^made once, or \[twice\] +failure' catch.out
	report "Catch2" $?
else
	skip "Catch2" "long form, with the package catch2"
fi

# SARIF of every command that has it.
"$heddle" check --sarif --runs=1000 --test=Locks.Cross ./fake >check.sarif 2>/dev/null
"$heddle" check --sarif --races=error --time=20 ./plain >races.sarif 2>/dev/null
"$heddle" replay --sarif "$(jq -r '.runs[0].results[0].properties.bundle' check.sarif)" >replay.sarif 2>/dev/null
[ $? -eq 1 ] && jq -e '.runs[0].results[0].ruleId == "deadlock"' replay.sarif >/dev/null; report "replay reports as SARIF" $?
"$heddle" predict --sarif ./plain >predict.sarif 2>/dev/null
mkdir -p "a dir" && cp "$programs/tells.c" "a dir/x y.c" && "$heddle" cc -g -pthread -o spaced "a dir/x y.c" &&
	"$heddle" check --sarif --runs=200 ./spaced x y >spaced.sarif 2>/dev/null
"$TEST_HERE/sarif-check" check.sarif races.sarif replay.sarif predict.sarif spaced.sarif >wrong.txt 2>&1
status=$?; [ $status -eq 0 ] || show wrong.txt
report "SARIF keeps to the schema" $status
jq -e '[.runs[].results[] | .codeFlows[0].threadFlows | length] | length > 0 and min >= 2' races.sarif predict.sarif check.sarif >/dev/null
report "findings have a flow per thread" $?
echo '{"version": "2.1.0", "runs": [{"tool": {"driver": {}}, "oops": 1}]}' >bad.json
"$TEST_HERE/sarif-check" bad.json >/dev/null; [ $? -eq 1 ]; report "the check of the schema can fail" $?
# The schema itself is not ours to keep; where somebody has it, it decides.
if [ -e "${TEST_SARIF_SCHEMA-}" ] && /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	/usr/bin/python3 -c 'import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
for path in sys.argv[2:]:
    jsonschema.validate(json.load(open(path)), schema)' "$TEST_SARIF_SCHEMA" ./*.sarif 2>wrong.txt
	status=$?; [ $status -eq 0 ] || show wrong.txt
	report "the schema accepts them" $status
else
	skip "the schema accepts them" "no TEST_SARIF_SCHEMA, or no python3-jsonschema"
fi
