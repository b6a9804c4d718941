# The page in a browser (sourced by run.sh).
chromium=$(command -v chromium || command -v chromium-browser || true)
start page --store=sqlite:merge.db
curl -s "$url/" >page.html
! grep -qE 'https?://|src=|@import|<script' page.html && [ "$(grep -c '<tr id=' page.html)" = 3 ] &&
	[ "$(grep -c 'href="failures/[123]/bundle"' page.html)" = 3 ]
report "page: it needs nothing else, and has all failures" $?
if [ -n "$chromium" ]; then
	timeout 120 "$chromium" --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
		--virtual-time-budget=3000 --window-size=1300,700 --screenshot="$work/page.png" "$url/" >/dev/null 2>&1
	timeout 120 "$chromium" --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
		--virtual-time-budget=3000 --dump-dom "$url/" 2>/dev/null >dom
	[ -s page.png ] && grep -q 'value == 1' dom && grep -q 'class="good">reproduced' dom
	report "page: in a browser" $?
	mkdir -p "$TEST_BUILD/artefacts/collect" && cp page.png "$TEST_BUILD/artefacts/collect/" 2>/dev/null
else
	skip "page: in a browser" "chromium is not installed"
fi
stop
