/*
 * Bug: the total is wrong.
 * Cause: two std::async tasks add to one plain variable; the futures order them only with main.
 * expect: assert
 * flags: -std=c++17
 */
#include <cassert>
#include <future>

static long total;

static void add(long part)
{
	total += part;
}

int main()
{
	auto a = std::async(std::launch::async, add, 10);
	auto b = std::async(std::launch::async, add, 20);

	a.get();
	b.get();
	assert(total == 30);
	return 0;
}
