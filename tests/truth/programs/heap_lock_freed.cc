/*
 * An object goes away beside somebody who locks the mutex in it.  No memory of the object is touched,
 * and the mutex was never initialised by a call.
 *
 * expect: 1
 * match: (use after free|freed)
 */
#include <atomic>
#include <mutex>
#include <thread>

struct object {
	std::mutex lock;
};

static object *shared;
static std::atomic<int> state;
static std::mutex counting;
static int count;

int main()
{
	shared = new object;
	std::thread a([] {
		if (state == 0) {
			state = 1;
			delete shared;
		}
	});
	std::thread b([] {
		if (state == 0) {
			{
				std::lock_guard<std::mutex> guard(counting);
				count++;
			}
			state = 2;
			std::lock_guard<std::mutex> guard(shared->lock);
		}
	});
	a.join();
	b.join();
}
