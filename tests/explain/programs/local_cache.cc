/* Whether a key is there and putting it in are two critical sections; all is local to main. */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

struct Cache {
	std::mutex lock;
	std::vector<int> keys;
	int loads = 0;

	bool has(int key)
	{
		std::lock_guard<std::mutex> guard(lock);
		for (int k : keys)
			if (k == key)
				return true;
		return false;
	}

	void load(int key)
	{
		std::lock_guard<std::mutex> guard(lock);
		keys.push_back(key);
		loads++;
	}

	void get(int key)
	{
		if (!has(key))
			load(key);
	}
};

int main()
{
	Cache cache;
	std::thread a([&] { cache.get(7); });
	std::thread b([&] { cache.get(7); });

	a.join();
	b.join();
	assert(cache.loads == 1);
	return 0;
}
