/*
 * Two threads throw and catch at the same time; each sees its own exception.
 *
 * expect: 0
 */
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static int caught;

static void work(int me)
{
	try {
		std::lock_guard<std::mutex> hold(lock);
#ifndef NEVER_UNLOCK
		throw me;
#else
		lock.lock();
#endif
	} catch (int who) {
		assert(who == me);
		std::lock_guard<std::mutex> hold(lock);
		caught += who;
	}
}

int main()
{
	std::thread other(work, 1);

	work(2);
	other.join();
	assert(caught == 3);
}
