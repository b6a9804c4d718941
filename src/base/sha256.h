/* SHA-256 (FIPS 180-4): names for contents that others may have made. */
#ifndef HEDDLE_BASE_SHA256_H
#define HEDDLE_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32
#define SHA256_TEXT (2 * SHA256_BYTES + 1)

void sha256(const void *bytes, size_t n, uint8_t out[SHA256_BYTES]);

/* Lower-case hexadecimal digits, and back; false when text is not exactly that. */
void sha256_text(const uint8_t hash[SHA256_BYTES], char out[SHA256_TEXT]);
bool sha256_parse(const char *text, uint8_t hash[SHA256_BYTES]);

#endif
