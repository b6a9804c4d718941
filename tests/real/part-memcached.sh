# Sourced by run.sh: memcached serves set and get while heddle decides who runs.

build_memcached()
{
	local root=$fetched/root/usr lib
	lib=$root/lib/$(clang-19 -print-multiarch 2>/dev/null || gcc -print-multiarch)
	[ -d "$lib" ] || lib=$root/lib/x86_64-linux-gnu
	(cd memcached && ./configure CC="$heddle cc" --with-libevent="$root" \
		CPPFLAGS="-I$root/include -I$root/include/$(basename "$lib")" \
		LDFLAGS="-L$lib -Wl,-rpath,$lib" && make -j"$(nproc)" memcached)
}

# One session over the text protocol; prints what the server answered.
talk()
{
	local line
	exec 9<>"/dev/tcp/127.0.0.1/$1" || return 1
	printf 'set word 0 0 6\r\nheddle\r\nget word\r\nincr none 1\r\nquit\r\n' >&9
	while IFS= read -r -t 20 line <&9; do echo "${line%$'\r'}"; done
	exec 9>&-
}

serve()
{
	local port=$1 server i
	shift
	"$@" memcached/memcached -u "$(id -un)" -l 127.0.0.1 -p "$port" -U 0 -t 3 >server.log 2>&1 &
	server=$!
	for ((i = 0; i < 300; i++)); do
		(exec 8<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
		kill -0 $server 2>/dev/null || break
		sleep 0.1
	done
	talk "$port" >answers 2>&1
	kill -TERM $server 2>/dev/null
	for ((i = 0; i < 50; i++)); do kill -0 $server 2>/dev/null || break; sleep 0.1; done
	kill -KILL $server 2>/dev/null
	wait $server 2>/dev/null
	printf 'STORED\nVALUE word 0 6\nheddle\nEND\nNOT_FOUND\n' | cmp -s - answers || { show answers server.log; return 1; }
}

if get memcached memcached lib:libevent-dev lib:libevent-2.1-7; then
	cp -a "$fetched/memcached" .
	if timed "memcached is configured and built" build_memcached; then
		serve 21211 env
		report "memcached works without heddle around it" $?
		for seed in 1 2 3; do
			serve $((21211 + seed)) "$heddle" run --seed=$seed -o "mc$seed.heddle"
			report "memcached serves set and get under control (seed $seed)" $?
		done
	fi
fi
