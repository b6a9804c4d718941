#include "collect/tokens.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/fs.h"

#define MAX_FILE ((size_t)1 << 20)
#define MAX_HEADER 1024
#define MIN_TOKEN 16

static int add_line(struct collect_tokens *t, char *line, struct err *e)
{
	struct collect_token one;
	size_t n = strcspn(line, " \t\r#");

	if (line[n + strspn(line + n, " \t\r")] != '\0' &&
	    line[n + strspn(line + n, " \t\r")] != '#')
		return err_set(e, ERR_FORMAT, "a token has a blank in it");
	if (!n)
		return 0;
	if (n < MIN_TOKEN)
		return err_set(e, ERR_FORMAT, "a token has fewer than %d characters", MIN_TOKEN);
	sha256(line, n, one.hash);
	vec_push(t, one);
	return 0;
}

int collect_tokens_read(struct collect_tokens *t, const char *path, struct err *e)
{
	char *text = NULL, *save = NULL;
	struct stat st;
	size_t n;
	int rc = 0;

	if (stat(path, &st) != 0)
		return err_errno(e, ERR_IO, "cannot read %s", path);
	if (st.st_mode & 077)
		return err_set(e, ERR_FORMAT, "%s can be read by others (chmod 600 %s)", path,
			       path);
	rc = fs_read_file(path, MAX_FILE, &text, &n, e);
	if (!rc && strlen(text) != n)
		rc = err_set(e, ERR_FORMAT, "a NUL byte");
	for (char *line = rc ? NULL : strtok_r(text, "\n", &save); line && !rc;
	     line = strtok_r(NULL, "\n", &save))
		rc = add_line(t, line, e);
	if (!rc && !t->count)
		rc = err_set(e, ERR_FORMAT, "there is no token");
	if (text)
		explicit_bzero(text, n);
	free(text);
	return rc ? err_wrap(e, "%s", path) : 0;
}

void collect_tokens_fini(struct collect_tokens *t)
{
	vec_free(t);
}

/* -1 when it is no digit of base 64. */
static int digit64(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The bytes, NUL-terminated; to has room for three quarters of the text and one more. */
static void decode64(const char *text, char *to)
{
	unsigned bits = 0, have = 0;
	int d;

	for (; (d = digit64(*text)) >= 0; text++) {
		bits = bits << 6 | (unsigned)d;
		have += 6;
		if (have >= 8) {
			have -= 8;
			*to++ = (char)(bits >> have & 0xff);
		}
	}
	*to = '\0';
}

/* Hashes of equal length are compared, all of them and to their ends. */
static bool is_known(const struct collect_tokens *t, const char *token)
{
	uint8_t hash[SHA256_BYTES];
	volatile unsigned found = 0;

	sha256(token, strlen(token), hash);
	for (size_t i = 0; i < t->count; i++) {
		unsigned differ = 0;

		for (unsigned k = 0; k < SHA256_BYTES; k++)
			differ |= hash[k] ^ t->items[i].hash[k];
		found |= differ == 0;
	}
	return found;
}

bool collect_tokens_allow(const struct collect_tokens *t, const char *authorization)
{
	char plain[MAX_HEADER], *password;

	if (!authorization || strlen(authorization) >= MAX_HEADER)
		return false;
	if (!strncasecmp(authorization, "Bearer ", 7))
		return is_known(t, authorization + 7);
	if (strncasecmp(authorization, "Basic ", 6))
		return false;
	decode64(authorization + 6, plain);
	password = strchr(plain, ':');
	return password && is_known(t, password + 1);
}
