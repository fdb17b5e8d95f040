/* Base64, as Python's module of that name encodes and decodes it. */

#ifndef BASE64_H
#define BASE64_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char BASE64[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Encode, and return the end of what was written: four bytes for three. */
static inline char *encode_base64(char *out, const uint8_t *data, size_t size)
{
    size_t i = 0;
    for (; i + 3 <= size; i += 3, out += 4) {
        uint32_t word = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
        out[0] = BASE64[word >> 18], out[1] = BASE64[word >> 12 & 63];
        out[2] = BASE64[word >> 6 & 63], out[3] = BASE64[word & 63];
    }
    if (i == size) return out;
    uint32_t word = data[i] << 16 | (i + 1 < size ? data[i + 1] << 8 : 0);
    out[0] = BASE64[word >> 18], out[1] = BASE64[word >> 12 & 63];
    out[2] = i + 1 < size ? BASE64[word >> 6 & 63] : '=';
    out[3] = '=';
    return out + 4;
}

/* Return the number of bytes that a text decodes to; SIZE_MAX for no whole text. */
static inline size_t base64_bytes(const char *text, size_t size)
{
    if (size % 4) return SIZE_MAX;
    size_t padding = size && text[size - 1] == '=' ? 1 + (text[size - 2] == '=') : 0;
    return size / 4 * 3 - padding;
}

/* The values of the digits, plus 64 for other bytes. */
static inline const uint8_t *base64_values(void)
{
    static uint8_t values[256];
    if (!values['B']) {
        memset(values, 64, sizeof values);
        for (int i = 0; i < 64; i++) values[(uint8_t)BASE64[i]] = i;
    }
    return values;
}

/* Decode a text to `base64_bytes` bytes. Return 0 if it has another byte, or if bits behind
   the last byte are set. */
static inline int decode_base64(uint8_t *out, const char *text, size_t size)
{
    const uint8_t *values = base64_values(), *at = (const uint8_t *)text;
    size_t bytes = base64_bytes(text, size);
    uint32_t wrong = 0;
    if (bytes == SIZE_MAX) return 0;
    for (; bytes >= 3; bytes -= 3, at += 4, out += 3) {
        uint32_t a = values[at[0]], b = values[at[1]], c = values[at[2]], d = values[at[3]];
        uint32_t word = a << 18 | b << 12 | c << 6 | d;
        wrong |= a | b | c | d;
        out[0] = word >> 16, out[1] = word >> 8, out[2] = word;
    }
    if (bytes) {
        uint32_t a = values[at[0]], b = values[at[1]], c = bytes > 1 ? values[at[2]] : 0;
        uint32_t word = a << 18 | b << 12 | c << 6;
        wrong |= a | b | c;
        *out++ = word >> 16;
        if (bytes > 1) *out++ = word >> 8;
        if (word & (bytes > 1 ? 0xff : 0xffff)) return 0;
    }
    return wrong < 64;
}

#endif
