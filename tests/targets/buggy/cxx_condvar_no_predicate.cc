/*
 * Bug: main sleeps for ever.
 * Cause: std::condition_variable::wait without a predicate misses an earlier notification.
 * expect: deadlock
 * flags: -std=c++17
 */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;

int main()
{
	std::thread notifier([] {
		std::lock_guard<std::mutex> hold(lock);
		ready.notify_one();
	});
	{
		std::unique_lock<std::mutex> hold(lock);
		ready.wait(hold);
	}
	notifier.join();
	return 0;
}
