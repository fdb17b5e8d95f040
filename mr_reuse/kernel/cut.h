/* Where the chunks of a page begin: what `chunking.delimiter` matches, in C. */

#ifndef CUT_H
#define CUT_H
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { MAX_TAGS = 64, MAX_TAG = 16, FEW = 4 };

typedef struct {
    int count;
    uint8_t tags[MAX_TAGS][MAX_TAG]; /* in lower case */
    uint8_t lengths[MAX_TAGS];
    uint8_t first[256]; /* whether a tag begins with this letter, in either case */
    uint8_t letters[FEW][16]; /* the same letters, in lower case, if they are few */
    int letter_count;         /* else more than FEW */
    uint8_t after[256]; /* whether this byte may follow a tag's name */
} Delimiters;

static inline uint8_t lower(uint8_t c) { return c >= 'A' && c <= 'Z' ? c | 32 : c; }

static void add_tag(Delimiters *delimiters, const uint8_t *tag, int length)
{
    int first = delimiters->first[tag[0]];
    memcpy(delimiters->tags[delimiters->count], tag, length);
    delimiters->lengths[delimiters->count++] = length;
    if (first) return;
    delimiters->first[tag[0]] = 1;
    if (tag[0] >= 'a' && tag[0] <= 'z') delimiters->first[tag[0] - 32] = 1;
    if (delimiters->letter_count < FEW)
        memset(delimiters->letters[delimiters->letter_count], tag[0] | 32, 16);
    delimiters->letter_count++;
}

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
#ifdef __SSE2__
    const __m128i less = _mm_set1_epi8('<'), small = _mm_set1_epi8(32);
    int few = delimiters->letter_count <= FEW;
    /* Sixteen places at a time: a '<' with one of the letters behind it. */
    for (; few && end - at > 16; at += 16) {
        __m128i here = _mm_loadu_si128((const __m128i *)at);
        __m128i letter = _mm_loadu_si128((const __m128i *)(at + 1));
        __m128i found = _mm_setzero_si128();
        letter = _mm_or_si128(letter, small);
        for (int i = 0; i < delimiters->letter_count; i++)
            found = _mm_or_si128(
                found, _mm_cmpeq_epi8(letter, _mm_loadu_si128((const __m128i *)
                                                              delimiters->letters[i])));
        int mask = _mm_movemask_epi8(_mm_and_si128(found, _mm_cmpeq_epi8(here, less)));
        for (; mask; mask &= mask - 1) {
            const uint8_t *place = at + __builtin_ctz(mask);
            if (is_delimiter(delimiters, place, end)) return place;
        }
    }
#endif
    while (at < end && (at = memchr(at, '<', end - at))) {
        if (is_delimiter(delimiters, at, end)) return at;
        at++;
    }
    return end;
}

#endif
