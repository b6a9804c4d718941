/*
 * A bounded queue kept in a std::map of strings under a mutex: tree rebalancing, string
 * comparison and node allocation are all seen, and the answer is exhaustive.
 *
 * expect: 0
 */
#include <cassert>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static std::map<std::string, int> queue;

static void put(const std::string &key, int value)
{
	std::unique_lock<std::mutex> hold(lock);

	changed.wait(hold, [] { return queue.size() < 1; });
	queue[key] = value;
#ifndef LOSE_WAKEUP
	changed.notify_all();
#endif
}

static int take()
{
	std::unique_lock<std::mutex> hold(lock);

	changed.wait(hold, [] { return !queue.empty(); });
	int value = queue.begin()->second;
	queue.erase(queue.begin());
	changed.notify_all();
	return value;
}

int main()
{
	std::thread producer([] {
		put("a key that is longer than any string kept in place", 1);
		put("short", 2);
	});
	int sum = take() + take();

	producer.join();
	assert(sum == 3 && queue.empty());
}
