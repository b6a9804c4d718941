/*
 * expect: 1
 *
 * A stream has a width that inline functions set.
 */
#include <cassert>
#include <mutex>
#include <sstream>
#include <thread>

static std::ostringstream out;
static std::mutex lock;

static void one()
{
	std::lock_guard<std::mutex> guard(lock);
	out << 5;
}

static void other()
{
	std::lock_guard<std::mutex> guard(lock);
	out.width(4);
}

int main()
{
	std::thread t(one), u(other);
	t.join();
	u.join();
	assert(out.str() == "5");
}
