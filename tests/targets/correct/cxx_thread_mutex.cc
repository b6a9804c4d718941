/*
 * std::thread, std::mutex, std::lock_guard, std::scoped_lock over two mutexes.
 * expect: clean
 * flags: -std=c++17
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex first, second;
static int a = 10, b = 10;

static void move(int amount)
{
	std::scoped_lock both(first, second);
	a -= amount;
	b += amount;
}

static void move_back(int amount)
{
	std::scoped_lock both(second, first);
	a += amount;
	b -= amount;
}

int main()
{
	std::thread one(move, 3), two(move_back, 4);

	one.join();
	two.join();
	std::lock_guard<std::mutex> hold(first);
	assert(a == 11 && b == 9);
	return 0;
}
