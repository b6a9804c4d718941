/*
 * condition_variable_any with a lock of the user's own.
 *
 * expect: 0
 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

struct counted {
	std::mutex inner;
	int locks = 0;
	void lock() { inner.lock(); locks++; }
	void unlock() { inner.unlock(); }
};

static counted lock;
static std::condition_variable_any ready;
static bool go;

int main()
{
	std::thread other([] {
		std::lock_guard<counted> hold(lock);
		go = true;
#ifndef LOSE
		ready.notify_one();
#endif
	});
	{
		std::unique_lock<counted> hold(lock);
		ready.wait(hold, [] { return go; });
		assert(lock.locks >= 2);
	}
	other.join();
}
