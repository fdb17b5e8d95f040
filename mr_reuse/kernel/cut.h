/* Where the chunks of a page begin: what `chunking.delimiter` matches, in C. */

#ifndef CUT_H
#define CUT_H
#include <stdint.h>
#include <string.h>

enum { MAX_TAGS = 64, MAX_TAG = 16 };

typedef struct {
    int count;
    uint8_t tags[MAX_TAGS][MAX_TAG]; /* in lower case */
    uint8_t lengths[MAX_TAGS];
    uint8_t first[256]; /* whether a tag begins with this letter, in either case */
    uint8_t after[256]; /* whether this byte may follow a tag's name */
} Delimiters;

static inline uint8_t lower(uint8_t c) { return c >= 'A' && c <= 'Z' ? c | 32 : c; }

/* Whether a delimiter begins at `at`, where a '<' stands. */
static int is_delimiter(const Delimiters *delimiters, const uint8_t *at,
                        const uint8_t *end)
{
    if (end - at < 3 || !delimiters->first[at[1]]) return 0;
    for (int i = 0; i < delimiters->count; i++) {
        const uint8_t *tag = delimiters->tags[i];
        int length = delimiters->lengths[i], j = 0;
        if (end - at < length + 2) continue;
        while (j < length && lower(at[1 + j]) == tag[j]) j++;
        if (j == length && delimiters->after[at[1 + length]]) return 1;
    }
    return 0;
}

/* The next delimiter from `at` on; `end` if there is none. */
static const uint8_t *next_delimiter(const Delimiters *delimiters, const uint8_t *at,
                                     const uint8_t *end)
{
    while (at < end && (at = memchr(at, '<', end - at))) {
        if (is_delimiter(delimiters, at, end)) return at;
        at++;
    }
    return end;
}

#endif
