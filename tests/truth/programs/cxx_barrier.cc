/*
 * A C++20 barrier with a completion function.
 *
 * expect: 0
 */
#include <barrier>
#include <cassert>
#include <thread>

static int part[2], total;

static void complete() noexcept
{
	total = part[0] + part[1];
}

int main()
{
	std::barrier meet(2, complete);
	auto work = [&](int me) {
		part[me] = me + 1;
		meet.arrive_and_wait();
		assert(total == 3);
#ifdef ONE_PHASE
		part[me] = 10;
#endif
	};
	std::thread other(work, 0);

	work(1);
#ifdef ONE_PHASE
	assert(part[0] == 1);
#endif
	other.join();
}
