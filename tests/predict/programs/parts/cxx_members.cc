/*
 * A string is assigned under a lock while its neighbour in the object is counted without one by two
 * threads.
 *
 * expect race counts counts
 */
#include <mutex>
#include <string>
#include <thread>

struct entry {
	std::string name;
	long hits = 0;
	std::mutex lock;
};
static entry e;

static void hit()
{
	e.hits++; /* counts */
}

static void work(const char *name)
{
	{
		std::lock_guard<std::mutex> guard(e.lock);
		e.name = name;
	}
	hit();
}

int main()
{
	std::thread a(work, "a name that is long enough for the heap"), b(work, "b");

	a.join();
	b.join();
	return 0;
}
