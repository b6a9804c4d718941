/* Names of what is accessed, each as the hooks on its line must report it. */
#include <stdlib.h>
#include <string.h>

typedef struct item {
	int id;
	unsigned flag : 3, other : 5;
	struct {
		int x, y;
	} pos;
	union {
		int i;
		double d;
	} u;
	struct item *next, *kids[4];
} item_t;

struct box {
	item_t items[5];
	int grid[3][4];
	item_t *cur;
	int (*cmp)(int, int);
};

struct box *made, fixed;
int arr[10], m2[3][4], **pp;
char *str;
static struct {
	int a;
	long b[2];
} anon;
volatile int vol;
__thread int tl;

static int cmp(int a, int b)
{
	return a - b;
}

int use(struct box *b, int i, item_t *it, int n, unsigned char *buf, int mat[][4])
{
	int (*f)(int, int);

	b->items[i].id = 1; //= store b->items[i].id
	b->items[2].pos.y = 2; //= store b->items[2].pos.y
	b->cur->next->id = 3; //= load b->cur; load b->cur->next; store b->cur->next->id
	it->kids[i]->u.d = 2.5; //= load it->kids[i]; store it->kids[i]->u.d
	it->u.i = 4; //= store it->u.i
	buf[i + 1] = 7; //= store buf[i + 1]
	buf[n - 1] ^= 1; //= load buf[n - 1]; store buf[n - 1]
	*buf = 3; //= store *buf
	mat[i][2] = 5; //= store mat[i][2]
	b->grid[i][n] = 6; //= store b->grid[i][n]
	arr[i] = arr[3] + m2[1][2]; //= load arr[3]; load m2[1][2]; store arr[i]
	str[i] = 'c'; //= load str; store str[i]
	**pp = 4; //= load pp; load *pp; store **pp
	pp[1][i] = 5; //= load pp; load pp[1]; store pp[1][i]
	anon.b[1] = 4; //= store anon.b[1]
	anon.a = 3; //= store anon.a
	fixed.items[1].pos.x = 3; //= store fixed.items[1].pos.x
	fixed.cur = &fixed.items[2]; //= store fixed.cur
	fixed.cur->id = fixed.items[i].id; //= load fixed.cur; load fixed.items[i].id; store fixed.cur->id
	arr[1] = vol; //= load vol; store arr[1]
	tl = 4; //= store tl
	for (item_t *w = it; w; w = w->next) //= load w->next
		w->id++; //= load w->id; store w->id
	f = b->cmp; //= load b->cmp
	fixed = *b; //= memcpy fixed
	it->pos = b->items[0].pos; //= memcpy it->pos
	memcpy(&b->items[1], it, sizeof(*it)); //= memcpy b->items[1]
	memset(arr, 0, sizeof(arr)); //= memset arr
	return f(1, 2) + b->cmp(3, 4); //= call f; load b->cmp; call b->cmp
}

int main(int argc, char **argv)
{
	item_t a = { 0 }, k = { 0 };
	int z[5], *z2[2] = { z, z }, mm[3][4];
	unsigned char bytes[20];
	char text[10];

	pp = z2;
	str = text;
	made = calloc(1, sizeof(*made)); //= at calloc; store made
	made->cmp = cmp; //= load made; store made->cmp
	k.next = &a;
	made->cur = &k;
	a.kids[1] = &k;
	return use(made, argc, &a, 2, bytes, mm) > 100;
}
