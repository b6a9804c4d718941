#include "instr/asm_parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const wide_names[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};

/* "rax", "eax", "ax", "al" to "ax" and 8, 4, 2, 1; "r8d" to "r8" and 4. */
static bool parse_register(const char *name, struct asm_part *part)
{
	size_t n = strlen(name);

	part->form = ASM_REGISTER;
	part->operand = -1;
	for (size_t i = 0; i < sizeof(wide_names) / sizeof(wide_names[0]); i++) {
		const char *wide = wide_names[i];
		bool letter = wide[1] == 'x';

		strcpy(part->reg, wide);
		part->high = false;
		if (!strcmp(name, wide))
			return part->bytes = 2, true;
		if (n == 3 && !strcmp(name + 1, wide) && (name[0] == 'r' || name[0] == 'e'))
			return part->bytes = name[0] == 'r' ? 8 : 4, true;
		if (n == 2 && letter && name[0] == wide[0] && (name[1] == 'l' || name[1] == 'h'))
			return part->bytes = 1, part->high = name[1] == 'h', true;
		if (n == 3 && !letter && !strncmp(name, wide, 2) && name[2] == 'l')
			return part->bytes = 1, true;
	}
	if (name[0] != 'r' || !isdigit((unsigned char)name[1]) || n > 4)
		return false;
	part->bytes = name[n - 1] == 'd' ? 4 : name[n - 1] == 'w' ? 2 : name[n - 1] == 'b' ? 1 : 8;
	memcpy(part->reg, name, n + 1);
	if (part->bytes != 8)
		part->reg[n - 1] = 0;
	return true;
}

static bool copy_name(char *to, const char *from, size_t n)
{
	if (n >= ASM_NAME)
		return false;
	memcpy(to, from, n);
	to[n] = 0;
	return true;
}

/* What stands between braces: a register, or "@ccz" for a flag. */
static bool parse_braces(const char *text, size_t n, struct asm_constraint *c)
{
	struct asm_part part;
	char name[ASM_NAME];

	if (n > 3 && !strncmp(text, "@cc", 3))
		return copy_name(c->flag, text + 3, n - 3);
	if (!copy_name(name, text, n) || !parse_register(name, &part))
		return false;
	strcpy(c->fixed, part.reg);
	return true;
}

static bool parse_constraint(const char *text, size_t n, struct asm_constraint *c)
{
	size_t i = 0;

	c->tied = c->argument = c->result = -1;
	if (i < n && text[i] == '=')
		c->output = true, i++;
	if (i < n && text[i] == '&')
		i++;
	if (i < n && text[i] == '*')
		c->indirect = true, i++;
	if (i < n && text[i] == '{')
		return text[n - 1] == '}' && parse_braces(text + i + 1, n - i - 2, c);
	if (i < n && isdigit((unsigned char)text[i])) {
		c->tied = atoi(text + i);
		return true;
	}
	/* Only general registers, memory and constants; alternatives ("|") are one place too. */
	for (; i < n; i++)
		if (!strchr("rqQRlmgieIJKLMNZnso|", text[i]))
			return false;
	return true;
}

static bool add_operand(struct asm_constraints *all, struct asm_constraint c, int *argument,
			int *result)
{
	if (all->count == ASM_MAX_OPERANDS || c.tied >= all->count)
		return false;
	if (c.output && !c.indirect)
		c.result = (*result)++;
	else
		c.argument = (*argument)++;
	all->indirect |= c.indirect;
	all->items[all->count++] = c;
	return true;
}

bool asm_parse_constraints(const char *text, size_t bytes, struct asm_constraints *out)
{
	const char *end = text + bytes;
	int argument = 0, result = 0;

	memset(out, 0, sizeof(*out));
	while (text < end) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		size_t n = (size_t)((comma ? comma : end) - text);
		struct asm_constraint c = {0};

		if (n >= 1 && text[0] == '~') {
			out->memory |= n == 9 && !memcmp(text, "~{memory}", 9);
		} else if (n < 1 || text[0] == '!' || !parse_constraint(text, n, &c) ||
			   !add_operand(out, c, &argument, &result)) {
			return false;
		}
		text += n + (comma != NULL);
	}
	return true;
}

/* ---- statements ---- */

struct cursor {
	const char *at, *end;
};

static void skip_blanks(struct cursor *c)
{
	while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
		c->at++;
}

static bool take(struct cursor *c, char wanted)
{
	if (c->at == c->end || *c->at != wanted)
		return false;
	c->at++;
	return true;
}

static bool take_number(struct cursor *c, int64_t *value)
{
	char text[32], *stop;
	size_t n = 0;

	while (c->at + n < c->end && n < sizeof(text) - 1 &&
	       (isalnum((unsigned char)c->at[n]) || (n == 0 && c->at[n] == '-')))
		text[n] = c->at[n], n++;
	text[n] = 0;
	*value = (int64_t)strtoull(text, &stop, 0);
	if (!n || *stop || stop == text)
		return false;
	c->at += n;
	return true;
}

static bool take_word(struct cursor *c, char *word)
{
	size_t n = 0;

	while (c->at + n < c->end && isalnum((unsigned char)c->at[n]))
		n++;
	if (!n || !copy_name(word, c->at, n))
		return false;
	c->at += n;
	return true;
}

static unsigned modifier_bytes(char letter)
{
	return letter == 'b' || letter == 'h' ? 1 : letter == 'w' ? 2 : letter == 'k' ? 4
						  : letter == 'q'		  ? 8
										  : 0;
}

/* $3, ${3:k}; the dollar is read. */
static bool take_operand(struct cursor *c, struct asm_part *part)
{
	bool braces = take(c, '{');
	int64_t number;
	size_t n = 0;
	char text[8];

	while (c->at + n < c->end && n < 3 && isdigit((unsigned char)c->at[n]))
		text[n] = c->at[n], n++;
	text[n] = 0;
	if (!n)
		return false;
	c->at += n;
	number = atoi(text);
	part->form = ASM_OPERAND;
	part->operand = (int)number;
	if (braces && take(c, ':')) {
		if (c->at == c->end || !(part->bytes = modifier_bytes(*c->at)))
			return false;
		part->high = *c->at++ == 'h';
	}
	return !braces || take(c, '}');
}

static bool take_base(struct cursor *c, struct asm_part *part)
{
	struct asm_part base = {.operand = -1};
	char name[ASM_NAME];

	skip_blanks(c);
	if (take(c, '$')) {
		if (!take_operand(c, &base))
			return false;
	} else if (!take(c, '%') || !take_word(c, name) || !parse_register(name, &base) ||
		   base.bytes != 8) {
		return false;
	}
	part->form = ASM_MEMORY;
	part->operand = base.operand;
	strcpy(part->reg, base.reg);
	skip_blanks(c);
	return take(c, ')');
}

static bool take_part(struct cursor *c, struct asm_part *part)
{
	char name[ASM_NAME];

	memset(part, 0, sizeof(*part));
	part->operand = -1;
	skip_blanks(c);
	if (take(c, '$')) {
		if (!take(c, '$'))
			return take_operand(c, part);
		part->form = ASM_IMMEDIATE;
		return take_number(c, &part->value);
	}
	if (take(c, '%'))
		return take_word(c, name) && parse_register(name, part);
	if (!(c->at < c->end && *c->at == '(') && !take_number(c, &part->value))
		return false;
	return take(c, '(') && take_base(c, part);
}

static bool is_prefix(const char *word, struct asm_statement *out)
{
	if (!strcmp(word, "lock"))
		return out->lock = true;
	if (!strcmp(word, "rep") || !strcmp(word, "repz") || !strcmp(word, "repe"))
		return out->rep = true;
	return false;
}

/* One line or what stands between two semicolons; an empty one leaves the mnemonic empty. */
static bool parse_line(struct cursor *c, struct asm_statement *out)
{
	for (;;) {
		skip_blanks(c);
		if (c->at == c->end)
			return true;
		if (!take_word(c, out->mnemonic))
			return false;
		if (!is_prefix(out->mnemonic, out))
			break;
		out->mnemonic[0] = 0;
	}
	skip_blanks(c);
	while (c->at < c->end) {
		if (out->count == 3 || !take_part(c, &out->parts[out->count++]))
			return false;
		skip_blanks(c);
		if (c->at < c->end && !take(c, ','))
			return false;
	}
	return true;
}

static const char *end_of_line(const char *at, const char *end)
{
	while (at < end && *at != '\n' && *at != ';' && *at != '#')
		at++;
	return at;
}

int asm_parse_statement(const char **at, const char *end, struct asm_statement *out)
{
	memset(out, 0, sizeof(*out));
	while (*at < end) {
		const char *stop = end_of_line(*at, end);
		struct cursor line = {*at, stop};

		/* A comment goes to the end of its line. */
		while (stop < end && *stop == '#' && *stop != '\n') {
			const char *newline = memchr(stop, '\n', (size_t)(end - stop));

			stop = newline ? newline : end;
		}
		*at = stop < end ? stop + 1 : end;
		if (!parse_line(&line, out))
			return -1;
		if (out->mnemonic[0])
			return 1;
	}
	return out->lock || out->rep ? -1 : 0;
}
