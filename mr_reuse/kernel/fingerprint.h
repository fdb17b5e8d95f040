/* The least hashes of n-grams of noise, as in text/noise/pure_fingerprints.py. */

#ifndef FINGERPRINT_H
#define FINGERPRINT_H
#include <stdint.h>
#include <string.h>

enum {
    DIMENSIONS = 128,        /* at most */
    LONGEST_GRAM = 256,      /* bytes */
    AT_ONCE = 512,           /* hashes that are tested at a time */
    FIRST_SHIFT = 32, LAST_SHIFT = 29,
};
#ifndef WAITING
#define WAITING (1 << 14) /* bytes of noise whose grams are hashed at a time */
#endif
#define ALIGNED __attribute__((aligned(64)))
#define EMPTY UINT64_MAX /* the value of a dimension without a gram */

/* The bits of a hash that tell whether its value may be the least, and how they are. */
typedef struct {
    uint64_t mask, bits;
} Test;

/* What is known of a page so far. */
typedef struct {
    uint64_t least[DIMENSIONS], hashes[DIMENSIONS]; /* values, and which hashes have them */
    Test tests[DIMENSIONS];
    int has_grams;
} Least;

typedef struct Printer Printer;

/* Set the hashes of grams that begin in a row. */
typedef void HashGrams(const Printer *p, const uint8_t *noise, size_t count, uint64_t *hashes);

/* Append the noise of bytes at `at`; return what is behind it. Up to 64 bytes more than
   these may be written. */
typedef uint8_t *KeepNoise(const Printer *p, const uint8_t *bytes, size_t count, uint8_t *at);

/* Offer hashes, at most AT_ONCE, to their dimensions. */
typedef void OfferHashes(Printer *p, const uint64_t *hashes, size_t count);

struct Printer {
    size_t n, m;
    uint64_t multiplier, mixer;
    uint64_t removed[256];                   /* by the first byte of a gram that ends */
    uint64_t values[DIMENSIONS][16][16];     /* of four bits of a hash, by their place */
    uint64_t prefixes[DIMENSIONS][64 + 1];   /* bits of a hash: the highest of its value */
    uint64_t shared[DIMENSIONS];             /* bits in which all values agree */
    uint8_t is_noise[256];
    HashGrams *hash_grams;
    OfferHashes *offer_hashes;
    KeepNoise *keep_noise;
    /* Of fingerprint_avx512.h: powers of the multiplier, from that of n - 1 on, and of its
       inverse; the masks, shuffled as hashes are, and the shuffles. */
    uint64_t up[AT_ONCE + 8], down[AT_ONCE + LONGEST_GRAM + 8];
    uint64_t masks[DIMENSIONS];
    uint8_t shuffles[DIMENSIONS][64] ALIGNED; /* so that none is in two lines of the cache */
    Least page;
    size_t size; /* of the noise that waits; it begins with the last n - 1 bytes before */
    uint8_t noise[LONGEST_GRAM + WAITING + 64];
};

static inline uint64_t mix(const Printer *p, uint64_t number)
{
    number ^= number >> FIRST_SHIFT;
    number *= p->mixer;
    return number ^ number >> LAST_SHIFT;
}

/* Return the value of a hash in a dimension. */
static inline uint64_t value_in(const Printer *p, size_t dimension, uint64_t hash)
{
    uint64_t value = 0;
    for (int place = 0; place < 16; place++)
        value ^= p->values[dimension][place][hash >> 4 * place & 15];
    return value;
}

/* Return the number whose digits are the bytes of a gram. */
static uint64_t gram_number(const Printer *p, const uint8_t *gram)
{
    uint64_t number = 0;
    for (size_t i = 0; i < p->n; i++) number = number * p->multiplier + gram[i];
    return number;
}

/* Return the number of the next gram. */
static inline uint64_t next_number(const Printer *p, uint64_t number, const uint8_t *gram)
{
    return number * p->multiplier + (p->removed[gram[0]] + gram[p->n]);
}

/* Four rows of grams at a time: each product waits for that of the gram before. A byte
   behind the last gram is read and has no effect. */
static void hash_plain(const Printer *p, const uint8_t *noise, size_t count, uint64_t *hashes)
{
    size_t quarter = count / 4;
    const uint8_t *a = noise, *b = a + quarter, *c = b + quarter, *d = c + quarter;
    uint64_t of_a = gram_number(p, a), of_b = gram_number(p, b);
    uint64_t of_c = gram_number(p, c), of_d = gram_number(p, d);
    for (size_t i = 0; i < quarter; i++) {
        hashes[i] = mix(p, of_a);
        hashes[quarter + i] = mix(p, of_b);
        hashes[2 * quarter + i] = mix(p, of_c);
        hashes[3 * quarter + i] = mix(p, of_d);
        of_a = next_number(p, of_a, a + i), of_b = next_number(p, of_b, b + i);
        of_c = next_number(p, of_c, c + i), of_d = next_number(p, of_d, d + i);
    }
    for (size_t i = 4 * quarter; i < count; i++) {
        hashes[i] = mix(p, of_d);
        of_d = next_number(p, of_d, noise + i);
    }
}

/* Lower the value of a dimension to that of a hash. */
static inline void offer_value(Printer *p, size_t dimension, uint64_t hash, uint64_t value)
{
    Least *page = &p->page;
    if (value >= page->least[dimension]) return;
    page->least[dimension] = value, page->hashes[dimension] = hash;
    uint64_t free = value & ~p->shared[dimension];
    uint64_t mask = p->prefixes[dimension][free ? __builtin_clzll(free) : 64];
    page->tests[dimension] = (Test){mask, hash & mask};
}

/* Whether a hash passes the test of its dimension, and is not the one with its value. */
static inline int may_be_least(const Printer *p, size_t dimension, uint64_t hash)
{
    Test test = p->page.tests[dimension];
    return (hash & test.mask) == test.bits
           && (hash != p->page.hashes[dimension] || p->page.least[dimension] == EMPTY);
}

/* Few hashes pass the test of their dimension. */
static inline __attribute__((always_inline)) void
offer_modulo(Printer *p, const uint64_t *hashes, size_t count, int is_power)
{
    uint64_t passing[AT_ONCE];
    size_t m = p->m, passed = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = hashes[i];
        Test test = p->page.tests[is_power ? hash & (m - 1) : hash % m];
        passing[passed] = hash;
        passed += (hash & test.mask) == test.bits;
    }
    for (size_t i = 0; i < passed; i++) {
        uint64_t hash = passing[i];
        size_t dimension = is_power ? hash & (m - 1) : hash % m;
        if (may_be_least(p, dimension, hash))
            offer_value(p, dimension, hash, value_in(p, dimension, hash));
    }
}

static void offer_plain(Printer *p, const uint64_t *hashes, size_t count)
{
    if (p->m & (p->m - 1))
        offer_modulo(p, hashes, count, 0);
    else
        offer_modulo(p, hashes, count, 1);
}

/* Offer the grams of the noise that waits, up to `stop`. */
static void offer_noise(Printer *p, size_t stop)
{
    uint64_t hashes[AT_ONCE];
    if (stop < p->n) return;
    size_t count = stop - p->n + 1;
    for (size_t at = 0; at < count; at += AT_ONCE) {
        size_t some = count - at < AT_ONCE ? count - at : AT_ONCE;
        p->hash_grams(p, p->noise + at, some, hashes);
        p->offer_hashes(p, hashes, some);
    }
    p->page.has_grams = 1;
    memmove(p->noise, p->noise + count, p->size - count);
    p->size -= count;
}

/* Return how many bytes of noise have room. */
static inline size_t room_of(const Printer *p)
{
    return LONGEST_GRAM + WAITING - p->size;
}

static uint8_t *keep_plain(const Printer *p, const uint8_t *bytes, size_t count, uint8_t *at)
{
    for (size_t i = 0; i < count; i++) {
        *at = bytes[i];
        at += p->is_noise[bytes[i]];
    }
    return at;
}

/* Add the noise of bytes, or all of them. */
static void add_noise(Printer *p, const uint8_t *bytes, size_t count, int keeps_all)
{
    while (count) {
        size_t some = count < room_of(p) ? count : room_of(p);
        uint8_t *end = p->noise + p->size;
        if (keeps_all)
            p->size += some, memcpy(end, bytes, some);
        else
            p->size = p->keep_noise(p, bytes, some, end) - p->noise;
        bytes += some, count -= some;
        if (room_of(p) < WAITING / 2) offer_noise(p, p->size);
    }
}

static void start_print(Printer *p)
{
    memset(&p->page, 0, sizeof p->page);
    memset(p->page.least, 255, sizeof p->page.least);
    p->size = 0;
}

/* Set what depends on the parameters: a mask for each dimension, and its shuffle of bits. */
static void make_dimension(Printer *p, size_t i, uint64_t mask, const uint8_t *shuffle)
{
    memcpy(p->shuffles[i], shuffle, sizeof p->shuffles[i]);
    uint64_t places[64], shared = (p->m & -p->m) - 1; /* bits that are all of the dimension's */
    p->shared[i] = 0;
    for (int bit = 0; bit < 64; bit++) {
        places[shuffle[bit]] = 1ull << bit;
        p->shared[i] |= (shared >> shuffle[bit] & 1) << bit;
    }
    p->prefixes[i][0] = 0;
    for (int bit = 0; bit < 64; bit++)
        p->prefixes[i][bit + 1] = p->prefixes[i][bit] | 1ull << shuffle[63 - bit];
    uint64_t masked = 0;
    for (int bit = 0; bit < 64; bit++) masked ^= mask >> bit & 1 ? places[bit] : 0;
    p->masks[i] = masked;
    for (int place = 0; place < 16; place++)
        for (int bits = 0; bits < 16; bits++) {
            uint64_t value = place ? 0 : masked;
            for (int bit = 0; bit < 4; bit++)
                value ^= bits >> bit & 1 ? places[4 * place + bit] : 0;
            p->values[i][place][bits] = value;
        }
}

#if defined __x86_64__ && (defined __clang__ || __GNUC__ >= 9)
#define HAS_AVX512
#include "fingerprint_avx512.h"
#endif

/* Select instructions by name, or the fastest for an empty name, if the CPU has them. */
static int choose_print(Printer *p, const char *name)
{
#ifdef HAS_AVX512
    if ((!*name || !strcmp(name, "avx512")) && has_avx512()) {
        p->hash_grams = hash_avx512, p->keep_noise = keep_avx512;
        p->offer_hashes = offer_avx512;
        return 1;
    }
#endif
    if (*name && strcmp(name, "plain")) return 0;
    p->hash_grams = hash_plain, p->keep_noise = keep_plain, p->offer_hashes = offer_plain;
    return 1;
}

/* Return the inverse of an odd number modulo 2^64; each step doubles its sure bits. */
static uint64_t inverse_of(uint64_t odd)
{
    uint64_t inverse = odd; /* of its lowest three bits */
    for (int i = 0; i < 5; i++) inverse *= 2 - odd * inverse;
    return inverse;
}

static void set_powers(uint64_t *powers, size_t count, uint64_t first, uint64_t factor)
{
    for (size_t i = 0; i < count; i++, first *= factor) powers[i] = first;
}

static void make_printer(Printer *p, size_t n, size_t m, uint64_t multiplier, uint64_t mixer)
{
    memset(p, 0, sizeof *p);
    p->n = n, p->m = m, p->multiplier = multiplier, p->mixer = mixer;
    uint64_t power = 1;
    for (size_t i = 1; i < n; i++) power *= multiplier;
    set_powers(p->up, sizeof p->up / 8, power, multiplier);
    set_powers(p->down, sizeof p->down / 8, 1, inverse_of(multiplier));
    power *= multiplier;
    for (int byte = 0; byte < 256; byte++) {
        p->removed[byte] = -power * byte;
        int is_letter = (byte | 32) >= 'a' && (byte | 32) <= 'z';
        p->is_noise[byte] = byte < 0x80 && !is_letter && !(byte >= '0' && byte <= '9');
    }
    choose_print(p, "");
    start_print(p);
}

#endif
