// C++: classes, templates, exceptions, threads; names with their scopes.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace app {
template <class T> class Queue {
	std::mutex m;
	std::condition_variable cv;
	std::vector<T> items;
	int pushed = 0;

public:
	void push(T t)
	{
		std::lock_guard<std::mutex> guard(m); //= at pthread_mutex_lock
		pushed++; //= load this->pushed; store this->pushed
		items.push_back(t);
		cv.notify_one(); //= at std::condition_variable::notify_one; call std::condition_variable::notify_one
	} //= at pthread_mutex_unlock
	T pop()
	{
		std::unique_lock<std::mutex> lock(m);
		cv.wait(lock, [&] { return !items.empty(); });
		T t = items.back();
		items.pop_back();
		return t;
	}
};
struct Base {
	virtual ~Base() {}
	virtual int f() { return 1; }
};
struct Derived : Base {
	int x = 4;
	int f() override { return x; } //= load this->x
};
}

std::atomic<int> done{0};
thread_local int mine = 3;

int main()
{
	app::Queue<std::string> queue;
	std::map<int, std::string> names;
	std::string all;
	std::thread worker([&] {
		for (int i = 0; i < 3; i++)
			queue.push("x" + std::to_string(i));
		done++; //= atomic_rmw done._M_i
		mine++; //= load mine; store mine
	});
	for (int i = 0; i < 3; i++)
		all += queue.pop().substr(0, 1);
	worker.join(); //= at std::thread::join; call std::thread::join
	while (done.load() == 0) //= atomic_load done._M_i /* spin */
		std::this_thread::yield();
	std::unique_ptr<app::Base> base(new app::Derived);
	names[1] = all;
	try {
		if (base->f() == 4)
			throw std::runtime_error("boom");
	} catch (std::exception &e) {
		std::printf("%s %s %d %d\n", e.what(), names[1].c_str(), mine, done.load());
	}
	static const std::string fixed = "static";
	std::printf("%s\n", fixed.c_str());
}
