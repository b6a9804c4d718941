# What commands.md promises: codes, keys, formats, bad input.

analyze ./unlocked
[ $status -eq 1 ] && field 'has("races") and has("alias_pairs") and has("opaque")' | grep -q true &&
	field '.races[0] | has("a") and has("b") and .class == "possible" and has("input")' | grep -q true
report "a race has two places, a class and an input" $?

field '.races[0].a | "\(.file|test("unlocked.c")) \(.line > 0) \(.function) \(.stack|length)"' |
	grep -q 'true true work 1'
report "a place has its file, line, function and calls" $?

"$heddle" analyze --sarif ./unlocked >sarif.json 2>err
[ $? -eq 1 ] && jq -e '.runs[0].results[0].ruleId == "race"' sarif.json >/dev/null
report "SARIF" $?

"$heddle" analyze ./unlocked >text 2>err
[ $? -eq 1 ] && grep -q 'holding no lock' text && grep -q 'unlocked.c:' text && [ "$(wc -l <text)" -lt 25 ]
report "the text says where and what is held, on one screen" $?

analyze --all ./locked
[ $status -eq 0 ] && field '[.races[] | select(.class == "impossible" and (.why | test("lock")))] | length > 0' |
	grep -q true
report "--all has the pairs that locks keep apart" $?

"$heddle" analyze /bin/true >text 2>err
[ $? -eq 3 ] && grep -q 'bitcode' err
report "a program without its code is an error" $?
"$heddle" analyze ./nothing-there >text 2>err
[ $? -eq 3 ] && [ -s err ] && [ ! -s text ]
report "so is one that is not there" $?
"$heddle" analyze >text 2>err
[ $? -eq 2 ]
report "no program is a usage error" $?

analyze --confirm ./unlocked
bundle=$(field '.races[0].bundle')
[ $status -eq 1 ] && [ -d "$bundle" ] && "$heddle" replay "$bundle" 2>&1 |
	grep -q identical
report "--confirm keeps an execution that shows the race" $?
[ -d "$bundle" ] && [ "$(field .confirmed)" -ge 1 ]
report "and counts it" $?
analyze --confirm ./order
[ $status -eq 1 ] && [ -d "$(field '.deadlocks[0].bundle')" ] &&
	"$heddle" replay "$(field '.deadlocks[0].bundle')" >log 2>&1
[ $? -eq 1 ]
report "a deadlock that was confirmed is replayed" $?
