/*
 * A spin lock from std::atomic_flag around a std::string.
 *
 * expect: 0
 */
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic_flag taken;
static std::string log;

static void add(char c)
{
#ifndef UNLOCKED
	while (taken.test_and_set(std::memory_order_acquire))
		std::this_thread::yield();
#endif
	log += c;
#ifndef UNLOCKED
	taken.clear(std::memory_order_release);
#endif
}

int main()
{
	std::thread other(add, 'a');

	add('b');
	other.join();
	assert(log.size() == 2 && log[0] != log[1]);
}
