/*
 * atomic::wait and notify: one thread sleeps until the other has stored.
 *
 * expect: 0
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> state;
static std::atomic<bool> flag;
static int data;

int main()
{
	std::thread other([] {
		data = 7;
		state.store(1);
#ifndef SILENT
		state.notify_one();
#endif
		flag.wait(false);
		data = 9;
	});

	state.wait(0);
	assert(data == 7);
	flag = true;
	flag.notify_all();
	other.join();
	assert(data == 9);
}
