/*
 * The same with a semaphore of C++20.
 *
 * expect: 1
 * match: assertion failed
 */
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

int main()
{
	std::binary_semaphore semaphore(0);
	std::thread t([&] { semaphore.release(); });
	bool taken = semaphore.try_acquire_for(std::chrono::milliseconds(1));

	t.join();
	assert(taken);
}
