/*
 * Readers and a writer of a string under a shared_mutex.
 *
 * expect: 0
 */
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

static std::shared_mutex lock;
static std::string text = "old";

static void look()
{
	std::shared_lock<std::shared_mutex> hold(lock);

	assert(text == "old" || text == "a new text that needs memory of its own");
}

int main()
{
	std::thread reader(look);
	std::thread writer([] {
#ifdef SHARED_WRITER
		std::shared_lock<std::shared_mutex> hold(lock);
#else
		std::unique_lock<std::shared_mutex> hold(lock);
#endif
		text = "a new text that needs memory of its own";
	});

	reader.join();
	writer.join();
	look();
}
