# What a recorded point costs in instructions; times would tell of the machine.
if command -v valgrind >/dev/null; then
	# executed NAME: instructions in the function `look'.
	executed()
	{
		valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=look "./$1" 2>&1 >/dev/null |
			sed -n 's/.*Collected : *//p'
	}
	build scan || not_ok record/cost
	plain=$(executed scan.plain) recorded=$(executed scan)
	report "record/cost ($recorded instructions, $plain without)" $([ "${plain:-0}" -gt 100000 ] &&
		[ "$recorded" -lt $((plain * 9 / 5)) ]; echo $?)
else
	skip record/cost "no valgrind here"
fi
