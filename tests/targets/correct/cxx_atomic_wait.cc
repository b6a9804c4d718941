/*
 * C++20: std::atomic wait and notify, std::latch, std::counting_semaphore, std::jthread.
 * expect: clean
 * flags: -std=c++20
 */
#include <atomic>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::atomic<int> stage;
static std::latch both{2};
static std::counting_semaphore<2> tokens{0};
static int data;

int main()
{
	{
		std::jthread worker([] {
			stage.wait(0);
			assert(data == 1);
			both.count_down();
			tokens.release();
		});
		std::jthread helper([] {
			both.arrive_and_wait();
			tokens.acquire();
		});
		data = 1;
		stage.store(1);
		stage.notify_all();
	}
	assert(stage == 1);
	return 0;
}
