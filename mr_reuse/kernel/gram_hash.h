/* The hashes of the grams of a page, as in text/gram_block.py, and memory that grows. */

#ifndef GRAM_HASH_H
#define GRAM_HASH_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline uint64_t mix_bits(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

static inline int grow_to(void **at, size_t *room, size_t needed, size_t width)
{
    if (needed <= *room) return 1;
    size_t more = needed + needed / 2 + 64;
    void *grown = realloc(*at, more * width);
    if (!grown) return 0;
    *at = grown;
    *room = more;
    return 1;
}

typedef struct {
    uint64_t key;
    uint16_t check;
} GramHash;

/* Hashes one gram of a page after another. */
typedef struct {
    uint64_t first, second, first_power, second_power;
    size_t k;
    const uint64_t *lanes;
} Roller;

static const uint64_t FIRST_FACTOR = 0x9E3779B97F4A7C15ull,
                      SECOND_FACTOR = 0xD1B54A32D192ED03ull;

static inline Roller start_grams(const uint64_t *lanes, size_t k)
{
    Roller r = {0, 0, 1, 1, k, lanes};
    for (size_t i = 0; i < k; i++) {
        r.first = r.first * FIRST_FACTOR + lanes[2 * i];
        r.second = r.second * SECOND_FACTOR + lanes[2 * i + 1];
        r.first_power *= FIRST_FACTOR, r.second_power *= SECOND_FACTOR;
    }
    return r;
}

static inline GramHash gram_hash(const Roller *r)
{
    return (GramHash){mix_bits(r->first), mix_bits(r->second) >> 48};
}

/* Go on from the gram at a row to the next one. */
static inline void next_gram(Roller *r, size_t row)
{
    const uint64_t *gone = r->lanes + 2 * row, *next = gone + 2 * r->k;
    r->first = r->first * FIRST_FACTOR - gone[0] * r->first_power + next[0];
    r->second = r->second * SECOND_FACTOR - gone[1] * r->second_power + next[1];
}

#endif
