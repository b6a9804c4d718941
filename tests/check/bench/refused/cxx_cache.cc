/*
 * C++ threads around a shared std::map behind a shared_mutex.
 * Bug: an entry is computed twice, and the second one replaces what others point to.
 * Cause: the shared lock is given up before the exclusive one is taken, and nobody looks again.
 * expect: assert
 * flags: -std=c++17
 * found: --strategy=random --runs=2000
 */
#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::shared_mutex guard;
static std::map<int, std::shared_ptr<int>> entries;
static std::atomic<int> computed;

static std::shared_ptr<int> get(int key)
{
	{
		std::shared_lock<std::shared_mutex> hold(guard);
		auto found = entries.find(key);
		if (found != entries.end())
			return found->second;
	}
	auto fresh = std::make_shared<int>(key * key);
	computed++;
	std::unique_lock<std::shared_mutex> hold(guard);
	entries[key] = fresh;
	return fresh;
}

int main()
{
	std::vector<std::thread> threads;
	for (int i = 0; i < 3; i++)
		threads.emplace_back([] { assert(*get(7) == 49); });
	for (auto &t : threads)
		t.join();
	assert(computed == 1);
	return 0;
}
