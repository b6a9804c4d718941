/*
 * std::shared_mutex, std::recursive_mutex and std::timed_mutex.
 * expect: clean
 * flags: -std=c++17
 */
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex table_lock;
static std::recursive_mutex nested;
static std::timed_mutex timed;
static int left, right, done;

static void write()
{
	std::unique_lock<std::shared_mutex> hold(table_lock);
	left++;
	right++;
}

static void read()
{
	std::shared_lock<std::shared_mutex> hold(table_lock);
	assert(left == right);
}

static void finish()
{
	std::lock_guard<std::recursive_mutex> outer(nested);
	std::lock_guard<std::recursive_mutex> inner(nested);
	if (timed.try_lock_for(std::chrono::milliseconds(5))) {
		done++;
		timed.unlock();
	}
}

int main()
{
	std::thread a([] { write(); finish(); }), b([] { read(); finish(); });

	a.join();
	b.join();
	assert(left == 1 && right == 1 && done == 2);
	return 0;
}
