/*
 * A deque of strings as a queue between two threads.
 *
 * expect: 0
 */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::condition_variable filled;
static std::deque<std::string> lines;

int main()
{
	std::thread writer([] {
		for (const char *text : {"one", "a line that needs memory of its own"}) {
			std::lock_guard<std::mutex> hold(lock);
			lines.emplace_back(text);
			filled.notify_one();
		}
	});
	std::string all;

	for (int i = 0; i < 2; i++) {
		std::unique_lock<std::mutex> hold(lock);
#ifdef NO_PREDICATE
		filled.wait(hold);
#else
		filled.wait(hold, [] { return !lines.empty(); });
#endif
		all += lines.front();
		lines.pop_front();
	}
	writer.join();
	assert(all == "onea line that needs memory of its own");
}
