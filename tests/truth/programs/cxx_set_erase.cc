/*
 * A std::set of strings that one thread empties while the other fills it, under a lock.
 *
 * expect: 0
 */
#include <cassert>
#include <mutex>
#include <set>
#include <string>
#include <thread>

static std::mutex lock;
static std::set<std::string> names = {"ada", "bob"};

static void leave()
{
#ifndef UNLOCKED
	std::lock_guard<std::mutex> hold(lock);
#endif
	names.erase("ada");
}

int main()
{
	std::thread other(leave);

	{
		std::lock_guard<std::mutex> hold(lock);
		names.insert("cyd");
	}
	other.join();
	assert(names.size() == 2 && *names.begin() == "bob" && *names.rbegin() == "cyd");
}
