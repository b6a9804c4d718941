/* Answers of the library that are in no log and that nobody computes again. */
#include <chrono>
#include <exception>
#include <thread>

static int shared;

static int ask()
{
	auto now = std::chrono::steady_clock::now().time_since_epoch().count();
	int n = std::uncaught_exceptions() > 0;

	if (now % 2)
		n += 2;
	if (n > 5)
		n = 0;
	return n;
}
int main()
{
	std::thread other([] { shared = ask(); });
	int n = ask();

	if (shared > 100)
		n++;
	other.join();
	return n > 100;
}
