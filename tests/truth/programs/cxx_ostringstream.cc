/*
 * A text is put together in a string stream of one thread and handed over under a lock.
 *
 * expect: 0
 */
#include <cassert>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex lock;
static std::string report;

static void add(int n)
{
	std::ostringstream line;

	line << "n=" << n << ';';
#ifndef UNLOCKED
	std::lock_guard<std::mutex> hold(lock);
#endif
	report += line.str();
}

int main()
{
	std::thread other(add, 1);

	add(2);
	other.join();
	assert(report == "n=1;n=2;" || report == "n=2;n=1;");
}
