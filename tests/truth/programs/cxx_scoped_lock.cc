/*
 * std::scoped_lock takes two mutexes in either order without deadlock.
 *
 * expect: 0
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex left, right;
static int moved;

static void move(std::mutex &from, std::mutex &to)
{
#ifdef ONE_BY_ONE
	std::lock_guard<std::mutex> first(from), second(to);
#else
	std::scoped_lock both(from, to);
#endif
	moved++;
}

int main()
{
	std::thread other([] { move(left, right); });

	move(right, left);
	other.join();
	assert(moved == 2);
}
