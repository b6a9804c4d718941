/*
 * Two threads insert into one std::map under a lock; order of insertion changes the shape of the
 * tree but not its contents.
 *
 * expect: 0
 */
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::map<int, int> squares;

static void add(int from, int to)
{
	for (int i = from; i < to; i++) {
#ifndef UNLOCKED
		std::lock_guard<std::mutex> hold(lock);
#endif
		squares[i] = i * i;
	}
}

int main()
{
	std::thread other(add, 0, 2);

	add(2, 4);
	other.join();
	assert(squares.size() == 4);
	for (auto [key, value] : squares)
		assert(value == key * key);
}
