/*
 * A callback runs when the stop is requested, unless it is gone by then.
 *
 * expect: 0
 */
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
	std::stop_source source;
	std::atomic<int> calls{0};
	std::thread t([&] { std::stop_callback callback(source.get_token(), [&] { calls++; }); });

	source.request_stop();
	t.join();
#ifdef ALWAYS
	assert(calls == 1);
#else
	assert(calls <= 1);
#endif
}
