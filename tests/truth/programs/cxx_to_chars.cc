/*
 * Numbers to text and back, each thread in its own buffer; the result is checked under a lock.
 *
 * expect: 0
 */
#include <cassert>
#include <charconv>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static char shared[16];

static void note(int n)
{
#ifndef UNLOCKED
	std::lock_guard<std::mutex> hold(lock);
#endif
	auto end = std::to_chars(shared, shared + sizeof(shared), n).ptr;
	int back = 0;

	std::from_chars(shared, end, back);
	assert(back == n);
}

int main()
{
	std::thread other(note, 123);

	note(45);
	other.join();
}
