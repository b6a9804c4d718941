// The C++ library on top: threads, locks, condition variables, futures, thread_local, exceptions.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

using namespace std::chrono_literals;

static std::mutex mutex;
static std::condition_variable cond;
static std::atomic<int> local_destroyed;
static int tokens;

struct local {
	std::string text = "a text that does not fit into the object itself";
	~local()
	{
		local_destroyed++;
	}
};

static thread_local local mine;

static void test_threads()
{
	std::vector<std::thread> threads;
	int sum = 0;

	for (int i = 1; i <= 3; i++)
		threads.emplace_back([i, &sum] {
			CHECK(!mine.text.empty());
			std::lock_guard<std::mutex> hold(mutex);
			sum += i;
		});
	for (auto &t : threads)
		t.join();
	CHECK(sum == 6);
	CHECK(local_destroyed == 3);
}

static void test_waiting()
{
	std::thread t([] {
		std::unique_lock<std::mutex> hold(mutex);
		cond.wait(hold, [] { return tokens > 0; });
		tokens--;
	});
	{
		std::lock_guard<std::mutex> hold(mutex);
		tokens = 1;
	}
	cond.notify_one();
	t.join();
	CHECK(tokens == 0);
	std::unique_lock<std::mutex> hold(mutex);
	CHECK(!cond.wait_for(hold, 1ms, [] { return tokens > 0; }));
	CHECK(cond.wait_until(hold, std::chrono::system_clock::now()) == std::cv_status::timeout);
}

static int answer(int n)
{
	if (n < 0)
		throw std::runtime_error("negative");
	return n * 2;
}

static void test_futures()
{
	std::promise<int> promise;
	auto future = promise.get_future();
	std::thread t([&promise] { promise.set_value(21); });
	auto async = std::async(std::launch::async, answer, 5);
	auto bad = std::async(std::launch::async, answer, -1);

	CHECK(future.get() == 21);
	CHECK(async.get() == 10);
	try {
		bad.get();
		CHECK(false);
	} catch (const std::runtime_error &e) {
		CHECK(std::string(e.what()) == "negative");
	}
	t.join();
}

static void test_once()
{
	std::once_flag flag;
	int runs = 0;
	auto run = [&] {
		try {
			std::call_once(flag, [&] {
				if (++runs == 1)
					throw std::runtime_error("first");
			});
		} catch (const std::runtime_error &) {
		}
	};
	std::thread a(run), b(run);

	a.join();
	b.join();
	run();
	CHECK(runs == 2);
}

static int make_static()
{
	static std::atomic<int> made;
	static int value = [] { return ++made; }();

	return value;
}

static void test_statics()
{
	std::atomic<int> ones = 0;
	std::thread a([&] { ones += make_static(); }), b([&] { ones += make_static(); });

	a.join();
	b.join();
	CHECK(ones == 2);
}

static void test_others()
{
	std::shared_mutex shared;
	std::recursive_mutex recursive;
	std::timed_mutex timed;
	std::random_device device;
	std::atomic<int> word = 0;
	std::thread t([&] {
		word = 1;
		word.notify_all();
	});

	word.wait(0);
	t.join();
	CHECK(word == 1);
	{
		std::shared_lock<std::shared_mutex> one(shared), two(shared);
		CHECK(!shared.try_lock());
	}
	std::lock_guard<std::recursive_mutex> outer(recursive), inner(recursive);
	CHECK(timed.try_lock_for(1ms));
	CHECK(!std::async(std::launch::async, [&] { return timed.try_lock_for(1ms); }).get());
	timed.unlock();
	device();
	std::this_thread::sleep_for(1ms);
	std::this_thread::yield();
	CHECK(std::thread::hardware_concurrency() > 0);
}

static std::atomic<int> unwound;

struct scope {
	~scope()
	{
		unwound++;
	}
};

static void *leave(void *)
{
	scope s;

	try {
		scope inner;

		pthread_exit(reinterpret_cast<void *>(9));
	} catch (const std::exception &) {
		CHECK(false);
	}
	return nullptr;
}

static void test_unwinding()
{
	pthread_t t;
	void *result;

	CHECK(pthread_create(&t, nullptr, leave, nullptr) == 0);
	CHECK(pthread_join(t, &result) == 0);
	CHECK(result == reinterpret_cast<void *>(9) && unwound == 2);
}

struct global {
	~global()
	{
		SUCCESS();
	}
};
static global ends_last;

int main()
{
	test_threads();
	test_waiting();
	test_futures();
	test_once();
	test_statics();
	test_others();
	test_unwinding();
	return 0;
}
