/*
 * Nodes move between two lists under a lock: hooks, unhooks and transfers of std::list.
 *
 * expect: 0
 */
#include <cassert>
#include <list>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::list<int> idle = {1, 2}, busy;

static void work()
{
	{
#ifndef UNLOCKED
		std::lock_guard<std::mutex> hold(lock);
#endif
		busy.splice(busy.end(), idle, idle.begin());
	}
	std::lock_guard<std::mutex> hold(lock);
	idle.push_back(busy.front());
	busy.pop_front();
}

int main()
{
	std::thread other(work);

	work();
	other.join();
	assert(busy.empty() && idle.size() == 2);
	idle.reverse();
	idle.sort();
	assert(idle.front() == 1 && idle.back() == 2);
}
