# What is no log, or too much (sourced by run.sh).

# put WANTED FILE [CURL-OPTION…]: the status of an upload under the hash of the file; its answer in answer.
put()
{
	local wanted=$1 file=$2 got
	shift 2
	got=$(curl -s -D head -o answer -w '%{http_code}' --max-time 60 -T "$file" "$@" \
		"$url/logs/${hash:-$(sha256sum "$file" | cut -c1-64)}")
	[ "$got" = "$wanted" ] || { echo "    $file: $got, not $wanted"; return 1; }
}
get() { [ "$(curl -s -o answer -w '%{http_code}' --path-as-is "${@:2}")" = "$1" ]; }
log=logs/two-1.crep
head -c 100 "$log" >cut
head -c 20000000 /dev/zero >zeros
zstd -q -f zeros -o bomb
head -c 20000000 /dev/zero >zeros
zstd -q -f zeros -o bomb 2>/dev/null || python3 - <<'P' || exit 3
raise SystemExit("zstd is missing")
P
head -c 2000000 /dev/urandom >noise
: >nothing
zstd -q -f "$log" -o squeezed
head -c 60 squeezed >squeezed.cut
cat squeezed squeezed >twice
zero=$(printf '%064d' 0)

start refuse --store=sqlite:refuse.db --rate=0
put 422 cut && put 422 nothing && hash=$zero put 422 "$log" && hash=$zero put 422 squeezed.cut &&
	hash=$zero put 422 twice && grep -q '"error"' answer
report "refuse: damaged, empty and misnamed uploads" $?
hash=$zero put 413 bomb && put 413 noise
report "refuse: large ones, before and after decompression" $?
put 411 "$log" -H 'Transfer-Encoding: chunked' && put 415 "$log" -H 'Content-Encoding: gzip'
report "refuse: bodies of unknown length or encoding" $?
get 404 "$url/logs/../../etc/passwd" && get 404 "$url/logs/%2e%2e%2fx" && get 404 "$url/logs/$zero/" &&
	get 404 "$url/failures/01" && get 404 "$url/failures/1/bundle" && get 404 "$url/x" &&
	get 404 "$url/logs/${zero/0/G}" && get 405 -X DELETE "$url/logs/$zero" && get 405 -X POST "$url/"
report "refuse: other places and methods" $?
[ "$(metric refused_format_total)/$(metric refused_hash_total)/$(metric refused_size_total)" = 5/1/3 ] &&
	[ "$(metric memory_bytes)" = 0 ] && [ "$(in_store refuse.db | wc -l)" = 0 ]
report "refuse: everything is counted, nothing is kept" $?
put 201 "$log" && hash=$(sha256sum "$log" | cut -c1-64) put 200 squeezed -H 'Content-Encoding: zstd'
report "refuse: what is good goes in, plain and squeezed alike" $?
./load "$port" 1 1 7 "" 40 >/dev/null && ! ./load "$port" 1 1 8 "" 41 >/dev/null && [ "$(metric refused_odd_total)" = 1 ]
report "refuse: logs that contradict their build" $?
stop

start quota --store=sqlite:quota.db --rate=0 --quota-logs=2 --quota-failures=2
./load "$port" 1 2 1 >/dev/null && ! ./load "$port" 1 1 3 >/dev/null && put 201 logs/two-1.crep && put 429 logs/two-2.crep &&
	grep -qi '^retry-after: [1-9]' head && grep -q '"quota"' answer
report "quota: logs of a failure, failures" $?
timeout 60 "$heddle" coop push --json "$url" logs/two-2.crep >push.out 2>&1
[ $? = 0 ] && [ "$(jq .enough push.out)" = 1 ]
report "quota: push goes on" $?
stop
start bytes --store=sqlite:bytes.db --quota-bytes=1024
! ./load "$port" 1 9 1 >/dev/null && [ "$(metric refused_quota_total)" -ge 1 ]
report "quota: bytes" $?
stop

start rate --store=sqlite:rate.db --rate=1 --burst=5
for ((i = 0; i < 60; i++)); do
	curl -sI "$url/logs/$zero" >head
	grep -q ' 429 ' head && break
done
grep -q ' 429 ' head && grep -qi '^retry-after: [1-9]' head
report "rate: who asks too often is told when to come back" $?
stop

start build --store=sqlite:build.db --build="$(printf '%040d' 1)"
put 403 "$log" && [ "$(metric refused_build_total)" = 1 ]
report "build: logs of other builds" $?
timeout 60 "$heddle" coop push --json "$url" "$log" >push.out 2>&1
[ $? = 3 ] && [ "$(jq .refused push.out)" = 1 ]
report "build: push says so" $?
stop
start memory --store=sqlite:memory.db --memory=64
put 503 "$log" && grep -qi '^retry-after' head && [ "$(metric refused_busy_total)" = 1 ] && [ "$(metric memory_bytes)" = 0 ]
report "memory: no more than there is room for" $?
stop
