/*
 * expect: 1
 * drawn
 *
 * What lies in the frame of a coroutine is memory that threads share.
 */
#include <cassert>
#include <coroutine>
#include <pthread.h>

struct task {
	struct promise_type {
		task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> handle;
};

static int *cell;

static task work()
{
	int local = 0;

	cell = &local;
	co_await std::suspend_always{};
	assert(local == 0);
}

static void *thread(void *arg)
{
	*cell = 1;
	return arg;
}

int main()
{
	pthread_t t;
	task w = work();

	w.handle.resume();
	pthread_create(&t, nullptr, thread, nullptr);
	w.handle.resume();
	pthread_join(t, nullptr);
	w.handle.destroy();
	return 0;
}
