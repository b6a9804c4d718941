/* Slices of one shared array, sorted by threads and merged: what is compared is shared and written. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
static std::vector<int> data(3000000);
int main(int argc, char **argv)
{
	int n = argc > 1 ? std::atoi(argv[1]) : 2;
	unsigned s = 1;
	for (auto &x : data) x = (int)((s = s * 1103515245 + 12345) >> 4);
	std::vector<std::thread> t;
	size_t part = data.size() / (size_t)n;
	for (int i = 0; i < n; i++) t.emplace_back([=] { std::sort(data.begin() + (long)(part * (size_t)i), data.begin() + (long)(part * (size_t)(i + 1))); });
	for (auto &x : t) x.join();
	for (int i = 1; i < n; i++) std::inplace_merge(data.begin(), data.begin() + (long)(part * (size_t)i), data.begin() + (long)(part * (size_t)(i + 1)));
	std::printf("%d\n", data[data.size() / 2]);
	return 0;
}
