# C++: members of the library's classes are elements, and what is inlined from its headers belongs to the
# line that asked for it.
for name in wakeup inlined; do
	"$bin/heddle-c++" -O1 -g "$here/cxx/$name.cc" -o "$name" >log 2>&1 &&
		"$heddle" coop profile --percent=100 "./$name" >"$name.profile" 2>>log ||
		{ show log; not_ok "$name: builds"; continue; }
	record "$name"
	[ -e "logs-$name/$name-1.crep" ]
	verdict "$name: the failing run leaves a log" $? record.log
	"$heddle" coop show --program="./$name" "logs-$name/$name-1.crep" >"$name.text" 2>&1
	merge "./$name" "logs-$name"
	[ $status -eq 1 ] && [ "$(field .attempts)" -le 20 ]
	verdict "$name: it is made again" $? out.json err "$name.text"
done
grep -q '^mailbox.filled: \[T0:2 x1, T0:1 x1\]$' wakeup.text
verdict "wakeup: who woke nobody came before who waits" $? wakeup.text
line=$(grep -n '// here' "$here/cxx/inlined.cc" | cut -d: -f1)
grep -q "| inlined.cc | $line | " inlined.text
verdict "inlined: the place is the user's" $? inlined.text
