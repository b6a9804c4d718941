/* Thirty variables without a lock: each is a race of its own, however often it is met. */
#include <pthread.h>

static int v1;
static int v2;
static int v3;
static int v4;
static int v5;
static int v6;
static int v7;
static int v8;
static int v9;
static int v10;
static int v11;
static int v12;
static int v13;
static int v14;
static int v15;
static int v16;
static int v17;
static int v18;
static int v19;
static int v20;
static int v21;
static int v22;
static int v23;
static int v24;
static int v25;
static int v26;
static int v27;
static int v28;
static int v29;
static int v30;

static void *work(void *arg)
{
	v1++;
	v2++;
	v3++;
	v4++;
	v5++;
	v6++;
	v7++;
	v8++;
	v9++;
	v10++;
	v11++;
	v12++;
	v13++;
	v14++;
	v15++;
	v16++;
	v17++;
	v18++;
	v19++;
	v20++;
	v21++;
	v22++;
	v23++;
	v24++;
	v25++;
	v26++;
	v27++;
	v28++;
	v29++;
	v30++;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	return 0;
}
