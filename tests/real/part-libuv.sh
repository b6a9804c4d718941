# Sourced by run.sh: libuv's own tests of threads, its pool and its loops, each alone.

build_libuv()
{
	cmake -S libuv1 -B libuv-build -DCMAKE_C_COMPILER="$bin/heddle-cc" \
		-DCMAKE_C_FLAGS="-O1 -g" -DBUILD_TESTING=ON -DLIBUV_BUILD_BENCH=OFF &&
		cmake --build libuv-build -j"$(nproc)" --target uv_run_tests_a
}

uv_test() { answer "libuv $2" "$1" 20 libuv-build/uv_run_tests_a "$2" "$2"; }

if get libuv libuv1; then
	cp -a "$fetched/libuv1" .
	if timed "libuv builds" build_libuv; then
		export UV_RUN_AS_ROOT=1
		for name in threadpool_queue_work_simple async signal_multiple_loops; do
			timeout 60 libuv-build/uv_run_tests_a $name $name >/dev/null 2>&1
			report "libuv $name works without heddle around it" $?
			"$heddle" run --quiet -o $name.heddle libuv-build/uv_run_tests_a $name $name >run.err 2>&1 &&
				grep -q 'ended with status 0' run.err
			report "libuv $name works under control" $?
		done
		for name in thread_create thread_local_storage thread_rwlock_trylock barrier_1 \
			barrier_2 condvar_1 condvar_2 semaphore_2 loop_stop; do
			uv_test 0 $name
		done
		# These rely on a sleep of the other thread being long enough.
		uv_test 1 semaphore_1
		uv_test 1 condvar_3
		uv_test "0 4" threadpool_queue_work_simple
		uv_test "0 4" async
		unset UV_RUN_AS_ROOT
	fi
fi
