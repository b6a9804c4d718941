/*
 * What dynamic_cast finds depends on what another thread has put there.
 *
 * expect: 1
 * match: is_first
 */
#include <cassert>
#include <mutex>
#include <new>
#include <thread>

struct base {
	virtual ~base() {}
};
struct first : base {};
struct second : base {};

alignas(16) static char place[64];
static std::mutex mutex;

int main()
{
	base *object = new (place) first;
	std::thread thread([&] {
		std::lock_guard<std::mutex> lock(mutex);
		object->~base();
		object = new (place) second;
	});
	bool is_first;

	{
		std::lock_guard<std::mutex> lock(mutex);
		is_first = dynamic_cast<first *>(std::launder(object)) != nullptr;
	}
	thread.join();
	assert(is_first);
	return 0;
}
