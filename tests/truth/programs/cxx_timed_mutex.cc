/*
 * try_lock_for either gets the lock or does without; both are fine.
 *
 * expect: 0
 */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex lock;
static int count, missed;

int main()
{
	std::thread other([] {
		if (lock.try_lock_for(std::chrono::milliseconds(5))) {
			count++;
			lock.unlock();
		} else {
			missed = 1;
		}
	});

	lock.lock();
	count++;
	lock.unlock();
	other.join();
#ifdef NEVER
	assert(!missed);
#endif
	assert(count + missed == 2);
}
