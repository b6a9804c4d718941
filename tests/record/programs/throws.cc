/* Exceptions pass through recorded functions; the last one is not caught. */
#include <stdexcept>
#include <thread>
#include <cstdio>
int n;
static int deep(int k) { if (k > n + 3) throw std::runtime_error("deep"); return deep(k + 1) + 1; }
int main()
{
	int caught = 0;
	std::thread t([&] { for (int i = 0; i < 100; i++) try { deep(0); } catch (std::exception &) { caught++; } });
	t.join();
	std::printf("%d\n", caught);
	std::fflush(stdout);
	deep(0);
}
