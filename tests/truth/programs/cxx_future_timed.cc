/*
 * A wait for a result that gives up after some time, which it may always do.
 *
 * expect: 1
 * match: assertion failed
 */
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main()
{
	std::promise<int> promise;
	std::future<int> future = promise.get_future();
	std::thread t([&] { promise.set_value(1); });
	bool ready = future.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;

#ifdef PATIENT
	ready = ready || future.get() == 1;
#endif
	t.join();
	assert(ready);
}
