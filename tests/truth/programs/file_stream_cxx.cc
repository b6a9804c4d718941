/*
 * A file stream of C++ and a descriptor of the same file.
 *
 * expect: 1
 * match: assertion failed
 */
#include <cassert>
#include <fstream>
#include <thread>
#include <unistd.h>

int main()
{
	std::ofstream out("stream");
	std::thread writer([&] { out << "one" << std::flush << "two" << std::flush; });
	std::ifstream in("stream");
	std::string text;

	in >> text;
	writer.join();
	unlink("stream");
	assert(text != "one");
}
