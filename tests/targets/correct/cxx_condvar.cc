/*
 * std::condition_variable with a predicate, and wait_for.
 * expect: clean
 * flags: -std=c++17
 */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static int stage;

int main()
{
	std::thread worker([] {
		std::unique_lock<std::mutex> hold(lock);
		changed.wait(hold, [] { return stage == 1; });
		stage = 2;
		changed.notify_all();
	});
	{
		std::lock_guard<std::mutex> hold(lock);
		stage = 1;
	}
	changed.notify_all();
	{
		std::unique_lock<std::mutex> hold(lock);
		bool seen = changed.wait_for(hold, std::chrono::seconds(1), [] { return stage == 2; });
		assert(seen == (stage == 2));
	}
	worker.join();
	assert(stage == 2);
	return 0;
}
