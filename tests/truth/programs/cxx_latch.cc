/*
 * A C++20 latch: main goes on when both workers have stored their part.
 *
 * expect: 0
 */
#include <cassert>
#include <latch>
#include <thread>

static int part[2];

int main()
{
#ifdef SHORT
	std::latch done(1);
#else
	std::latch done(2);
#endif
	std::thread a([&] { part[0] = 1; done.count_down(); });
	std::thread b([&] { part[1] = 2; done.count_down(); });

	done.wait();
	assert(part[0] + part[1] == 3);
	a.join();
	b.join();
}
