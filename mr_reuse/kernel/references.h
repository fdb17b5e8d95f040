/* Character references in text, as in text/references.py. */

#ifndef REFERENCES_H
#define REFERENCES_H
#include "word_hash.h"

enum {
    MAX_NAMES = 4096,
    LONGEST_NAME = 40, /* a reference that is longer is a number */
    KNOWN_BITS = 8,
};

typedef struct {
    const char *names;            /* ascending, a line feed behind each */
    const uint32_t *values;       /* two code points for each name; the second may be 0 */
    uint32_t starts[MAX_NAMES + 1];
    int count;
    /* Names of up to eight bytes, with semicolon, that were found before. */
    uint64_t known[1 << KNOWN_BITS];
    uint16_t known_as[1 << KNOWN_BITS];
} Names;

/* What a reference stands for, and its length without the `&`; 0 if it is none. */
typedef struct {
    uint32_t characters[2];
    int length;
} Found;

/* Return whether these are names as above. */
static int index_names(Names *names, const char *text, size_t size, size_t values)
{
    names->names = text;
    names->count = 0;
    for (size_t at = 0; at < size; names->count++) {
        const char *end = memchr(text + at, '\n', size - at);
        if (!end || names->count == MAX_NAMES || end - text - at > LONGEST_NAME) return 0;
        names->starts[names->count] = at;
        at = end - text + 1;
    }
    names->starts[names->count] = size;
    return values == (size_t)names->count;
}

/* Return the first name from `low` on whose byte at `depth` is not below `c`. */
static int first_name(const Names *names, int low, int high, int depth, uint8_t c)
{
    while (low < high) {
        int middle = (low + high) / 2;
        if ((uint8_t)names->names[names->starts[middle] + depth] < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Return the number of the longest name that the text begins with, and its length. */
static int find_name(const Names *names, const uint8_t *at, const uint8_t *end, int *length)
{
    int low = 0, high = names->count, best = -1;
    for (int depth = 0; at + depth < end && depth < LONGEST_NAME; depth++) {
        uint8_t c = at[depth];
        if (c == '\n') break;
        low = first_name(names, low, high, depth, c);
        high = first_name(names, low, high, depth, c + 1);
        if (low == high) break;
        if (names->names[names->starts[low] + depth + 1] == '\n') {
            best = low;
            *length = depth + 1;
        }
    }
    return best;
}

/* Read a name behind a `&`. */
static Found read_name(Names *names, const uint8_t *at, const uint8_t *end)
{
    Found found = {{0, 0}, 0};
    uint64_t block = load_some(at, end), ends = block ^ EACH(';'), key = 0;
    ends = (ends - EACH(1)) & ~ends & EACH(0x80); /* the first zero byte is right */
    int number = -1, size = ends ? (__builtin_ctzll(ends) >> 3) + 1 : 0, slot = 0;
    if (size) {
        key = size == 8 ? block : block & ((1ull << 8 * size) - 1);
        slot = key * 0x9E3779B97F4A7C15ull >> (64 - KNOWN_BITS);
        if (names->known[slot] == key) number = names->known_as[slot], found.length = size;
    }
    if (number < 0) {
        number = find_name(names, at, end, &found.length);
        if (number < 0) return found;
        if (found.length == size) names->known[slot] = key, names->known_as[slot] = number;
    }
    memcpy(found.characters, names->values + 2 * number, sizeof found.characters);
    return found;
}

static const uint16_t CONTROLS[32] = { /* from 0x80 on, as in windows-1252 */
    0x20AC, 0, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160,
    0x2039, 0x152, 0, 0x17D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0, 0x17E, 0x178,
};

enum { REPLACEMENT = 0xFFFD, LAST_CHARACTER = 0x10FFFF };

static uint32_t character_of(uint32_t number)
{
    if (!number || number > LAST_CHARACTER || (number >= 0xD800 && number < 0xE000))
        return REPLACEMENT;
    if (number >= 0x80 && number < 0xA0 && CONTROLS[number - 0x80])
        return CONTROLS[number - 0x80];
    return number;
}

/* Return the value of a digit, -1 for another byte. */
static int digit_of(uint8_t c, int base)
{
    int value = c >= '0' && c <= '9' ? c - '0' : is_letter(c) ? (c | 32) - 'a' + 10 : 99;
    return value < base ? value : -1;
}

/* Take digits on top of a number, which stops growing above all characters. */
static const uint8_t *read_digits(const uint8_t *at, const uint8_t *end, int base,
                                  uint32_t *number)
{
    for (int digit; at < end && (digit = digit_of(*at, base)) >= 0; at++)
        *number = *number > LAST_CHARACTER ? *number : *number * base + digit;
    return at;
}

#endif
