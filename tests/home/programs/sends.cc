// Bug: total is read and written in two critical sections.  Cause: no atomicity.  Expected: the
// assertion fails.  It looks at its arguments, its input, its environment and the address of a stream,
// so that its events say where things lie.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex lock;
static int total;

static void add(const char *who)
{
	int seen;

	{
		std::lock_guard<std::mutex> guard(lock);
		seen = total;
	}
	fprintf(stderr, "%s writes to %p\n", who, static_cast<void *>(stderr));
	std::lock_guard<std::mutex> guard(lock);
	total = seen + 1;
}

int main(int argc, char **argv)
{
	const char *home = getenv("HOME");
	std::string line;

	std::getline(std::cin, line);
	try {
		if (argc != 3)
			throw std::runtime_error("two arguments");
	} catch (const std::exception &e) {
		puts(e.what());
		return 2;
	}
	std::cout << line << std::endl;
	std::thread a(add, argv[1]), b(add, home ? home : argv[2]);
	a.join();
	b.join();
	assert(total == 2);
	return 0;
}
