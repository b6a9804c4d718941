# The page of heddle explain in a browser (sourced by run.sh).
chromium=$(command -v chromium || command -v chromium-browser || true)
shots=$TEST_BUILD/artefacts/explain
pages="null_between_check_and_use deadlock_two lost_wakeup peterson_tso channel"

browse()
{
	timeout 120 "$chromium" --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
		--virtual-time-budget=3000 --window-size=1300,1000 "$@" 2>/dev/null
}

# with_script PAGE SCRIPT: what the page looks like after the script; results are in its title.
with_script()
{
	{ sed 's,</body></html>,,' "$1"; printf '<script>\n%s\n</script></body></html>\n' "$2"; } >scripted.html
	browse --dump-dom "file://$work/scripted.html" | sed -nE 's,.*<title>(.*)</title>.*,\1,p' | head -n 1
}

# does NAME PAGE SCRIPT WANTED
does()
{
	local got
	got=$(with_script "$2" "$3")
	[ "$got" = "$4" ] || echo "    got: $got"
	[ "$got" = "$4" ]
	report "page: $1" $?
}

test_page()
{
	local name click keys
	for name in $pages; do
		explain --html="$name.html" "$name.heddle" >/dev/null 2>&1
		! grep -qE 'https?://[^w]|src=|@import' "$name.html" && [ -s "$name.html" ]
		report "page: $name needs nothing else" $?
	done
	if [ -z "$chromium" ]; then
		skip "page: in a browser" "chromium is not installed"
		return
	fi
	mkdir -p "$shots"
	for name in $pages; do
		browse --screenshot="$shots/$name.png" "file://$work/$name.html" >/dev/null
		[ -s "$shots/$name.png" ]
		report "page: $name has a screenshot" $?
	done
	keys='const press = k => document.dispatchEvent(new KeyboardEvent("keydown", {key: k, bubbles: true}));'
	does "both panes, a lane per thread" null_between_check_and_use.html \
		'document.title = [...document.querySelectorAll(".pane")].length + " " + [...document.querySelectorAll(".fails .lane")].length' "2 3"
	does "n and p go through the differences" null_between_check_and_use.html \
		"$keys"' const out = []; for (const k of ["n", "n", "p"]) { press(k); out.push(document.getElementById("where").textContent.replace(/\D+/, "").split(" ")[0]); }
		document.title = out.join(",") + " " + (document.querySelectorAll(".sel").length > 0)' "1,2,1 true"
	click='document.querySelector(".fails .gets").click();'
	does "a click leads to the writes of both sides" null_between_check_and_use.html \
		"$click"' document.title = document.querySelectorAll(".fails .gives.sel").length + "," + document.querySelectorAll(".passes .gives.sel").length' "1,1"
	does "and shows the source" null_between_check_and_use.html \
		"$click"' document.title = document.querySelector("#code .here").textContent.trim().split(/ +/)[0]' "20"
	does "what is folded opens" null_between_check_and_use.html \
		'const before = document.querySelectorAll(".ev").length; document.querySelector(".fold").click(); document.title = document.querySelectorAll(".ev").length > before' "true"
	does "the search finds folded operations" channel.html \
		'const s = document.getElementById("search"); s.value = "unlocks"; s.dispatchEvent(new Event("input")); document.title = document.querySelectorAll(".hit").length > 3' "true"
	does "differences are connected" null_between_check_and_use.html \
		'document.title = document.querySelectorAll("#wires path").length >= 3' "true"
	does "commands can be copied" channel.html \
		'document.title = [...document.querySelectorAll(".cmd code")].map(c => c.textContent.split(" ")[1]).join(",")' "replay,replay,replay"
	"$bin/heddle-cc" -O1 -g -pthread -o long "$here/programs/long.c" &&
		"$heddle" check -q --runs=200 --time=60 -o long.heddle ./long >/dev/null 2>&1 </dev/null
	explain --html=long.html --runs=60 long.heddle >/dev/null 2>&1
	local all
	all=$(explain --json --runs=60 long.heddle 2>/dev/null | jq .events_all)
	[ "${all:-0}" -ge 10000 ] && [ "$(stat -c %s long.html)" -le 300000 ]
	report "page: ${all:-no} events in $(stat -c %s long.html 2>/dev/null) bytes" $?
}

test_page
