/*
 * expect: 1
 *
 * Output uses the width up.
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
	assert(out.width() == 4);
}

static void other()
{
	std::lock_guard<std::mutex> guard(lock);
	out << 5;
}

int main()
{
	out.width(4);
	std::thread t(one), u(other);
	t.join();
	u.join();
}
