/* Atomics of every size and operation give the results of the plain instructions. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>

_Atomic uint8_t a1;
_Atomic uint16_t a2;
_Atomic uint32_t a4;
_Atomic uint64_t a8;
int s4;
char *ap;
_Atomic bool ab;
_Atomic double ad;
_Atomic float af;
struct pair {
	uint64_t low, high;
} __attribute__((aligned(16)));
_Atomic struct pair a16;
struct odd {
	char c[5];
};
_Atomic struct odd a5;
int sync_word;
static char text[] = "text";

int main(void)
{
	uint32_t e4 = 7;
	struct pair p = { 1, 2 }, q = { 3, 4 };
	struct odd o = { "abc" };

	a1 += 200; //= atomic_rmw a1
	a1 += 100; //= atomic_rmw a1
	a2 |= 0x1234; //= atomic_rmw a2
	a4 ^= 0xffff0000; //= atomic_rmw a4
	a8 -= 5; //= atomic_rmw a8
	atomic_fetch_and(&a8, ~UINT64_C(0xff)); //= atomic_rmw a8
	__atomic_store_n(&s4, -3, __ATOMIC_RELEASE); //= atomic_store s4
	printf("%d %d %x %llx\n", a1, a2, a4, (unsigned long long)a8); //= atomic_load a1; atomic_load a2; atomic_load a4; atomic_load a8; call printf
	__atomic_fetch_max(&s4, 4, __ATOMIC_RELAXED); //= atomic_rmw s4
	__atomic_fetch_min(&s4, -9, __ATOMIC_ACQ_REL); //= atomic_rmw s4
	__atomic_fetch_nand(&s4, 6, __ATOMIC_SEQ_CST); //= atomic_rmw s4
	__atomic_store_n(&ap, text, __ATOMIC_RELAXED); //= atomic_store ap
	__atomic_fetch_add(&ap, 1, __ATOMIC_ACQUIRE); //= atomic_rmw ap
	ab = true; //= atomic_store ab
	ad += 1.5; //= atomic_load ad; atomic_cas ad
	af -= 2.25f; //= atomic_load af; atomic_cas af
	printf("%d %s %d %g %g\n", s4, ap, ab, ad, af); //= load s4; load ap; atomic_load ab; atomic_load ad; atomic_load af; call printf
	printf("%d ", atomic_compare_exchange_strong(&a4, &e4, 1)); //= atomic_cas a4; call printf
	printf("%d ", atomic_compare_exchange_weak(&a4, &e4, 1)); //= atomic_cas a4; call printf
	printf("%u %u\n", e4, a4); //= atomic_load a4; call printf
	atomic_thread_fence(memory_order_seq_cst); //= fence -
	atomic_signal_fence(memory_order_seq_cst); //= nothing
	__sync_fetch_and_add(&sync_word, 5); //= atomic_rmw sync_word
	__sync_synchronize(); //= fence -
	__sync_lock_test_and_set(&sync_word, 9); //= atomic_rmw sync_word
	__sync_lock_release(&sync_word); //= atomic_store sync_word
	a16 = p;
	printf("%d ", atomic_compare_exchange_strong(&a16, &p, q));
	p = a16;
	a5 = o;
	o = a5;
	printf("%d %d %s %d\n", (int)p.low, (int)p.high, o.c, sync_word);
	return 0;
}
