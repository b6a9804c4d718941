// A wake-up that comes before somebody waits; the wait may throw, and locks are given up on the way.
//
// Expected: deadlock
#include <condition_variable>
#include <mutex>
#include <thread>

#include "../programs/nudge.h"

struct mailbox {
	std::mutex lock;
	std::condition_variable filled;
	bool full = false;

	void take()
	{
		std::unique_lock<std::mutex> held(lock);
		bool wait = !full;

		held.unlock();
		nudge_pass(0);
		nudge_wait(1);
		held.lock();
		if (wait)
			filled.wait(held);
	}
	void put()
	{
		std::lock_guard<std::mutex> held(lock);

		full = true;
		filled.notify_one();
	}
};

static mailbox box;

int main()
{
	nudge_init(2);
	std::thread taker([] { box.take(); });
	std::thread putter([] {
		nudge_wait(0);
		box.put();
		nudge_pass(1);
	});

	taker.join();
	putter.join();
}
