/* Few lines, thousands of functions: what the library makes of a regular expression. */
#include <iostream>
#include <regex>
#include <string>

int main(int argc, char **argv)
{
	std::string text = argc > 1 ? argv[1] : "a1b22c333";
	std::regex re("[a-z]([0-9]+)");
	for (std::sregex_iterator i(text.begin(), text.end(), re), e; i != e; ++i)
		std::cout << i->str(1) << "\n";
	return 0;
}
