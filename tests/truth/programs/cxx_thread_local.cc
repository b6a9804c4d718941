/*
 * A thread_local object with a destructor adds its count to a shared total when its thread ends.
 *
 * expect: 0
 */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static int total;

struct tally {
	int n = 0;
	std::string name = "the tally of one thread, on the heap";
	~tally()
	{
#ifndef UNLOCKED
		std::lock_guard<std::mutex> hold(lock);
#endif
		int now = total;
		total = now + n;
	}
};

static thread_local tally mine;

static void work()
{
	mine.n += 2;
}

int main()
{
	std::thread a(work), b(work);

	a.join();
	b.join();
	assert(total == 4);
}
