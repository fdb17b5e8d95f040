/* Search for a short sequence of bytes. */

#ifndef FIND_H
#define FIND_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Return the first occurrence of `size` bytes, which is at least 1; NULL if none. */
static const uint8_t *find_bytes(const uint8_t *at, const uint8_t *end,
                                 const uint8_t *bytes, size_t size)
{
    if ((size_t)(end - at) < size) return NULL;
    const uint8_t *stop = end - size + 1; /* after the last possible match */
#ifdef __SSE2__
    /* Test sixteen positions at a time for both the first and the last byte. Few of those
       positions are no match. */
    const __m128i first = _mm_set1_epi8(bytes[0]), last = _mm_set1_epi8(bytes[size - 1]);
    for (; stop - at >= 16; at += 16) {
        __m128i here = _mm_loadu_si128((const __m128i *)at);
        __m128i there = _mm_loadu_si128((const __m128i *)(at + size - 1));
        int mask = _mm_movemask_epi8(
            _mm_and_si128(_mm_cmpeq_epi8(here, first), _mm_cmpeq_epi8(there, last)));
        for (; mask; mask &= mask - 1) {
            const uint8_t *place = at + __builtin_ctz(mask);
            if (!memcmp(place, bytes, size)) return place;
        }
    }
#endif
    for (; at < stop && (at = memchr(at, bytes[0], stop - at)); at++)
        if (!memcmp(at, bytes, size)) return at;
    return NULL;
}

#endif
