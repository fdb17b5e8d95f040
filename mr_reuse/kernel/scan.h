/* Masks of sixteen bytes of a page: bit i is of byte i. */

#ifndef SCAN_H
#define SCAN_H
#include "word_hash.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { SCANNED = 16 };

#ifdef __SSE2__
typedef __m128i Sixteen;

static inline Sixteen load_sixteen(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)at);
}

static inline uint32_t equal_to(Sixteen bytes, char c)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
}

/* Bytes from 0x80 on. */
static inline uint32_t upper_bytes(Sixteen bytes)
{
    return _mm_movemask_epi8(bytes);
}

/* ASCII letters and digits. The addition moves a range to the end of the signed bytes. */
static inline uint32_t letters_in(Sixteen bytes)
{
    __m128i small = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    __m128i letters = _mm_cmpgt_epi8(_mm_add_epi8(small, _mm_set1_epi8(127 - 'z')),
                                     _mm_set1_epi8(127 - 26));
    __m128i digits = _mm_cmpgt_epi8(_mm_add_epi8(bytes, _mm_set1_epi8(127 - '9')),
                                    _mm_set1_epi8(127 - 10));
    return _mm_movemask_epi8(_mm_or_si128(letters, digits));
}
#else
typedef struct {
    uint64_t first, second;
} Sixteen;

static inline Sixteen load_sixteen(const uint8_t *at)
{
    return (Sixteen){load_block(at), load_block(at + 8)};
}

/* Gather the highest bits of eight bytes. */
static inline uint32_t highest_bits(uint64_t block)
{
    return (block >> 7 & EACH(1)) * 0x0102040810204080ull >> 56;
}

static inline uint32_t zeros_in(uint64_t block)
{
    return highest_bits(~((block & EACH(0x7F)) + EACH(0x7F) | block));
}

static inline uint32_t equal_to(Sixteen bytes, char c)
{
    uint64_t each = EACH((uint8_t)c);
    return zeros_in(bytes.first ^ each) | zeros_in(bytes.second ^ each) << 8;
}

static inline uint32_t upper_bytes(Sixteen bytes)
{
    return highest_bits(bytes.first) | highest_bits(bytes.second) << 8;
}

static inline uint32_t letters_in(Sixteen bytes)
{
    return highest_bits(letters_of(bytes.first))
           | highest_bits(letters_of(bytes.second)) << 8;
}
#endif

/* Return the first of a byte, or `end`. */
static inline const uint8_t *find_byte(const uint8_t *at, const uint8_t *end, uint8_t c)
{
    for (; end - at >= SCANNED; at += SCANNED) {
        uint32_t found = equal_to(load_sixteen(at), c);
        if (found) return at + __builtin_ctz(found);
    }
    while (at < end && *at != c) at++;
    return at;
}

#endif
