/*
 * Two threads print to std::cout, main prints at the end: output is not observed by the program.
 *
 * expect: 0
 */
#include <cassert>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static int lines;

static void print(const std::string &who)
{
#ifndef UNLOCKED
	std::lock_guard<std::mutex> hold(lock);
#endif
	int now = lines;
	std::cout << "thread " << who << ' ' << now << std::endl;
	lines = now + 1;
}

int main()
{
	std::thread other(print, "other");

	print("main");
	other.join();
	std::cout << lines << " lines\n";
	std::cerr << 1.5 << std::hex << 255u << '\n';
	assert(lines == 2);
}
