/* The delimiters of chunks in a page, with the matches of `chunking.compile_delimiter`. */

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
    uint8_t first[256]; /* 1 for the first letters of tags, in both cases */
    uint8_t letters[FEW][16]; /* up to FEW of them in lower case, each in 16 copies */
    int letter_count;         /* may be more than FEW; `letters` is not used then */
    uint8_t after[256]; /* 1 for the bytes that may follow a tag's name */
} Delimiters;

static inline uint8_t lower(uint8_t c) { return c >= 'A' && c <= 'Z' ? c | 32 : c; }

static inline void add_tag(Delimiters *delimiters, const uint8_t *tag, int length)
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

/* Return whether the '<' at `at` begins a delimiter. */
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

/* Return the first delimiter at or after `at`; `end` if there is none. */
static inline const uint8_t *next_delimiter(const Delimiters *delimiters,
                                            const uint8_t *at, const uint8_t *end)
{
#ifdef __SSE2__
    const __m128i less = _mm_set1_epi8('<'), small = _mm_set1_epi8(32);
    int few = delimiters->letter_count <= FEW;
    /* Test sixteen positions at a time for a '<' before one of the letters. The OR with 32
       turns letters into lower case. Some other bytes then look like letters;
       `is_delimiter` rejects them. */
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
