/*
 * Threads measure time and sleep; time never runs backwards.
 *
 * expect: 0
 */
#include <cassert>
#include <chrono>
#include <thread>

static void nap()
{
	auto begin = std::chrono::steady_clock::now();

	std::this_thread::sleep_for(std::chrono::milliseconds(3));
	assert(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(3));
}

int main()
{
	std::thread other(nap);

	nap();
	other.join();
}
