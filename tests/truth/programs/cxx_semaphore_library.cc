/*
 * A counting semaphore between two threads.  In libstdc++ 12 acquire() may go to sleep with the
 * count it read before another thread took and gave back the last token: nobody wakes it.  The
 * program is right, the library is not, and the deadlock is real.
 *
 * expect: 1
 * match: deadlock
 */
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> slots(1);

static void use()
{
	slots.acquire();
	slots.release();
}

int main()
{
	std::thread other(use);

	use();
	other.join();
}
