/*
 * Two threads write into one string stream under a lock: what it holds depends on their order.
 *
 * expect: 1
 * match: assertion failed
 */
#include <cassert>
#include <mutex>
#include <sstream>
#include <thread>

static std::mutex lock;
static std::stringstream text;

static void add(double n)
{
	std::lock_guard<std::mutex> hold(lock);

	text << n;
}

int main()
{
	std::thread other(add, 1.5);

	add(2.5);
	other.join();
	assert(text.str() == "2.51.5");
}
