/*
 * Bug: increments get lost.
 * Cause: std::thread workers change a plain counter without a lock.
 * expect: assert
 * flags: -std=c++17
 */
#include <cassert>
#include <thread>

static int counter;

int main()
{
	auto work = [] { counter++; };
	std::thread a(work), b(work);

	a.join();
	b.join();
	assert(counter == 2);
	return 0;
}
