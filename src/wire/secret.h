/*
 * What looks like a secret in an environment: by the words of its name (DB_PASSWORD, GITHUB_TOKEN,
 * AWS_SECRET_ACCESS_KEY) or by the shape of its value (keys, tokens with a known beginning,
 * addresses with a password in them).  Host and guests use the same rule, so that what one leaves
 * out the other does not write.
 *
 * A secret has a stand-in: as long as it is, and the same every time.
 */
#ifndef HEDDLE_WIRE_SECRET_H
#define HEDDLE_WIRE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shorter values are not looked for in other text: "1" would be everywhere. */
#define WIRE_SECRET_SHORTEST 6

static inline char wire_secret_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static inline bool wire_secret_digit_or_letter(char c)
{
	c = wire_secret_upper(c);
	return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static inline size_t wire_secret_length(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

/* Do the n characters at text begin with word, in any case? */
static inline bool wire_secret_begins(const char *text, size_t n, const char *word)
{
	size_t m = wire_secret_length(word);

	if (m > n)
		return false;
	for (size_t i = 0; i < m; i++)
		if (wire_secret_upper(text[i]) != wire_secret_upper(word[i]))
			return false;
	return true;
}

static inline bool wire_secret_ends(const char *text, size_t n, const char *word)
{
	size_t m = wire_secret_length(word);

	return m <= n && wire_secret_begins(text + n - m, m, word);
}

/* One word of a name, between underscores. */
static inline bool wire_secret_word(const char *word, size_t n)
{
	static const char *const whole[] = {"PASS",  "PWD",  "KEY", "KEYS", "AUTH", "PAT",
					    "CREDS", "CRED", "JWT", "DSN",  "PIN"};
	static const char *const endings[] = {"SECRET", "SECRETS", "TOKEN",  "TOKENS", "PASSWORD",
					      "PASSWD", "PASSWDS", "APIKEY", "COOKIE", "COOKIES"};
	static const char *const beginnings[] = {"PASSW",	 "PASSPHRASE", "CREDENTIAL",
						 "PRIVATEKEY",	 "SECRETKEY",  "ACCESSKEY",
						 "AUTHORIZATION"};

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		if (wire_secret_length(whole[i]) == n && wire_secret_begins(word, n, whole[i]))
			return true;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (wire_secret_ends(word, n, endings[i]))
			return true;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (wire_secret_begins(word, n, beginnings[i]))
			return true;
	return false;
}

static inline bool wire_secret_name(const char *name, size_t n)
{
	/* The working directory is a PWD of another kind. */
	if ((n == 3 && wire_secret_begins(name, n, "PWD")) ||
	    (n == 6 && wire_secret_begins(name, n, "OLDPWD")))
		return false;
	for (size_t at = 0; at <= n;) {
		size_t end = at;

		while (end < n && wire_secret_digit_or_letter(name[end]))
			end++;
		if (end > at && wire_secret_word(name + at, end - at))
			return true;
		at = end + 1;
	}
	return false;
}

/* "scheme://user:password@host" */
static inline bool wire_secret_address(const char *text)
{
	bool inside = false, colon = false;

	for (size_t i = 0; text[i]; i++) {
		if (text[i] == ':' && text[i + 1] == '/' && text[i + 2] == '/') {
			inside = true;
			colon = false;
			i += 2;
		} else if (text[i] == '/' || text[i] == ' ' || text[i] == '?') {
			inside = false;
		} else if (inside && text[i] == ':') {
			colon = true;
		} else if (inside && text[i] == '@') {
			if (colon)
				return true;
			inside = false;
		}
	}
	return false;
}

static inline bool wire_secret_value(const char *text)
{
	static const char *const beginnings[] = {
		"-----BEGIN ", "ghp_",	   "gho_",
		"ghu_",	       "ghs_",	   "ghr_",
		"github_pat_", "glpat-",   "xoxb-",
		"xoxp-",       "xoxa-",	   "xoxs-",
		"sk-",	       "sk_live_", "rk_live_",
		"AKIA",	       "ASIA",	   "AIza",
		"dckr_pat_",   "npm_",	   "pypi-",
		"hf_",	       "eyJ",	   "Bearer ",
		"Basic ",      "SG.",	   "AGE-SECRET-KEY-",
	};
	size_t n = wire_secret_length(text);

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (n >= 16 && wire_secret_begins(text, n, beginnings[i]))
			return true;
	return wire_secret_address(text);
}

/* An entry "NAME=value" of an environment; an empty value is no secret. */
static inline bool wire_secret_entry(const char *entry)
{
	size_t n = 0;

	while (entry[n] && entry[n] != '=')
		n++;
	if (!entry[n] || !entry[n + 1])
		return false;
	return wire_secret_name(entry, n) || wire_secret_value(entry + n + 1);
}

/* The at-th character of every stand-in. */
static inline char wire_secret_stand_in(size_t at)
{
	return "stand-in-"[at % 9];
}

/*
 * The secret that the text from `at' on begins with: its length, 0 when it is none of the count
 * values.
 */
static inline size_t wire_secret_at(const char *const *values, size_t count, const char *text,
				    size_t n)
{
	for (size_t i = 0; i < count; i++) {
		size_t m = 0;

		while (values[i][m] && m < n && values[i][m] == text[m])
			m++;
		if (!values[i][m] && m >= WIRE_SECRET_SHORTEST)
			return m;
	}
	return 0;
}

#endif
