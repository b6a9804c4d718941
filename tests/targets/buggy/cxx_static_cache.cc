/*
 * Bug: two callers get the same number.
 * Cause: the function-local static is initialised once and safely, but then changed without a lock.
 * expect: assert
 * flags: -std=c++17
 */
#include <cassert>
#include <thread>

struct numbers {
	int next = 1;
};

static int number_next()
{
	static numbers n;

	return n.next++;
}

int main()
{
	int a = 0, b = 0;
	std::thread one([&a] { a = number_next(); });
	std::thread two([&b] { b = number_next(); });

	one.join();
	two.join();
	assert(a != b);
	return 0;
}
