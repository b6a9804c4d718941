// A file and standard input through streams of C++; fails when both are what the test wrote there.
#include <cassert>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

static std::string all;

int main(int argc, char **argv)
{
	std::string word;

	if (argc != 2)
		return 2;
	std::thread([&] {
		std::ifstream in(argv[1]);
		std::string line;

		while (std::getline(in, line))
			all += line + ";";
	}).join();
	while (std::cin >> word)
		all += word + ",";
	assert(all != "one;two;1,22,333,4444,");
	return 0;
}
