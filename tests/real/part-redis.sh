# Sourced by run.sh: redis, the largest of them, is built whole and serves without heddle around it.
# Only in the long form: it takes minutes to build.

build_redis() { make -C redis -j"$(nproc)" CC="$heddle cc" MALLOC=libc OPTIMIZATION=-O2 redis-server redis-cli; }

ask() { redis/src/redis-cli -p 21231 "$@" 2>&1; }

if [ -z "${TEST_LONG-}" ]; then
	skip redis "only with TEST_LONG=1"
elif get redis redis; then
	cp -a "$fetched/redis" .
	if timed "redis builds" build_redis; then
		redis/src/redis-server --port 21231 --save "" >redis.log 2>&1 &
		server=$!
		for ((i = 0; i < 50; i++)); do [ "$(ask ping)" = PONG ] && break; sleep 0.1; done
		[ "$(ask set word heddle)" = OK ] && [ "$(ask get word)" = heddle ] &&
			[ "$(ask eval "return redis.call('incr', 'n') + 1" 0)" = 2 ]
		report "redis works without heddle around it" $?
		kill $server
		wait $server 2>/dev/null
	fi
fi
