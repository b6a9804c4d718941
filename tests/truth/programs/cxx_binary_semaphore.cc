/*
 * Ping and pong with two binary semaphores and a try_acquire.
 *
 * expect: 0
 */
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore ping(0), pong(0);
static int ball;

int main()
{
	std::thread other([] {
		ping.acquire();
		ball++;
#ifndef LOSE
		pong.release();
#endif
	});

	assert(!pong.try_acquire());
	ball = 1;
	ping.release();
	pong.acquire();
	assert(ball == 2);
	other.join();
}
