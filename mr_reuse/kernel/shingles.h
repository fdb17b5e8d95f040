/* The phrases of a page and their shingles, as in text/pure_shingles.py. */

#ifndef SHINGLES_H
#define SHINGLES_H
#include "rabin.h"

enum {
    K_WORDS = 5,           /* of a phrase */
    OVERLAP = K_WORDS - 1, /* words that two parts of a page share */
    FUNCTIONS = 84,
    WIDTH = 96, /* bytes of a row: one for each function, in whole vectors */
};

#ifndef BATCH
#define BATCH 1024 /* phrases at a time */
#endif

typedef union {
    uint64_t words[WIDTH / 8];
    uint8_t bytes[WIDTH]; /* one for each function */
} Row;

typedef struct Shingler Shingler;

/* Set the phrases of words in a row, more than OVERLAP and at most BATCH + OVERLAP. */
typedef void Join(Shingler *s, const uint64_t *words, size_t count, uint64_t *phrases);

/* Offer phrases, at most BATCH, to all functions. */
typedef void Offer(Shingler *s, const uint64_t *phrases, size_t count);

struct Shingler {
    Row highest[8][256]; /* for the values of each byte of a phrase */
    Join *join;
    Offer *offer;
    uint64_t polynomials[FUNCTIONS];
    Products once, twice; /* x^64 and x^128 modulo the polynomial of phrases */
    uint64_t leading;     /* of each fingerprint of a phrase */
    uint64_t leadings[FUNCTIONS];
    uint64_t products[FUNCTIONS][16][16]; /* of four bits with x^64 */
    uint64_t matrices[FUNCTIONS][8], quotients[FUNCTIONS], joining[6]; /* of gfni.h */
    /* The page. */
    uint64_t values[FUNCTIONS], phrases[FUNCTIONS]; /* the least so far */
    uint64_t first[OVERLAP];
    size_t firsts;
    uint64_t words[BATCH + OVERLAP]; /* that wait; the last ones of a batch wait again */
    size_t count;
};

/* Return the value of a phrase under a function. */
static inline uint64_t value_of(const Shingler *s, int function, uint64_t phrase)
{
    uint64_t value = s->leadings[function];
    for (int place = 0; place < 16; place++)
        value ^= s->products[function][place][phrase >> 4 * place & 15];
    return value;
}

/* Whether a phrase is the least so far, unless its value is that before the first one. */
static inline int is_known(const Shingler *s, int function, uint64_t phrase)
{
    return phrase == s->phrases[function] && s->values[function] != UINT64_MAX;
}

static inline void offer_value(Shingler *s, int function, uint64_t value, uint64_t phrase)
{
    if (value > s->values[function]) return;
    s->values[function] = value;
    s->phrases[function] = phrase;
}

/* Words a, b, c, d, e are ((a x + b) x^2 + (c x + d)) x^2 + e x, where x is 2^64. */
static void join_plain(Shingler *s, const uint64_t *words, size_t count, uint64_t *phrases)
{
    uint64_t shifted[BATCH + OVERLAP], pairs[BATCH + OVERLAP];
    for (size_t i = 0; i < count; i++) shifted[i] = multiply(s->once, words[i]);
    for (size_t i = 0; i + 1 < count; i++) pairs[i] = shifted[i] ^ words[i + 1];
    for (size_t i = 0; i + OVERLAP < count; i++) {
        uint64_t four = multiply(s->twice, pairs[i]) ^ pairs[i + 2];
        phrases[i] = multiply(s->twice, four) ^ shifted[i + OVERLAP] ^ s->leading;
    }
}

#include "highest.h"
#if defined __x86_64__ && (defined __clang__ || __GNUC__ >= 9)
#define HAS_GFNI
#include "gfni.h"
#endif

/* Select instructions by name, or the fastest for an empty name, if the CPU has them. */
static int choose_ways(Shingler *s, const char *name)
{
#ifdef HAS_GFNI
    if ((!*name || !strcmp(name, "gfni")) && has_gfni()) {
        s->join = join_gfni, s->offer = offer_gfni;
        return 1;
    }
#endif
    if (*name && strcmp(name, "plain")) return 0;
    s->join = join_plain, s->offer = offer_plain;
    return 1;
}

static void start_page(Shingler *s)
{
    s->firsts = s->count = 0;
    for (int f = 0; f < FUNCTIONS; f++) s->values[f] = UINT64_MAX;
}

static void make_shingler(Shingler *s, uint64_t polynomial, const uint64_t *polynomials)
{
    memset(s, 0, sizeof *s);
    make_products(s->once, polynomial, 64);
    make_products(s->twice, polynomial, 128);
    s->leading = power_of_x(polynomial, 64 * (K_WORDS + 1));
    for (int f = 0; f < FUNCTIONS; f++) {
        uint64_t p = s->polynomials[f] = polynomials[f];
        Products products;
        make_products(products, p, 64);
        s->leadings[f] = power_of_x(p, 128);
        for (int place = 0; place < 8; place++)
            for (int byte = 0; byte < 256; byte++) {
                uint64_t number = products[place][byte] ^ (place ? 0 : s->leadings[f]);
                s->highest[place][byte].bytes[f] = number >> 56;
            }
        for (int place = 0; place < 16; place++)
            for (int bits = 0; bits < 16; bits++)
                s->products[f][place][bits] =
                    products[place / 2][bits << 4 * (place % 2)];
#ifdef HAS_GFNI
        make_matrices(s->matrices[f], products);
        s->quotients[f] = quotient_of(p);
#endif
    }
#ifdef HAS_GFNI
    make_joining(s, polynomial);
#endif
    choose_ways(s, "");
    start_page(s);
}

/* Set the phrases of a page, as many as words. */
static void find_phrases(Shingler *s, const uint64_t *words, size_t count,
                         uint64_t *phrases)
{
    uint64_t batch[BATCH + OVERLAP];
    for (size_t at = 0; at < count; at += BATCH) {
        size_t some = count - at < BATCH ? count - at : BATCH;
        for (size_t i = 0; i < some + OVERLAP; i++)
            batch[i] = words[at + i < count ? at + i : (at + i) % count];
        s->join(s, batch, some + OVERLAP, phrases + at);
    }
}

/* Offer the phrases of the words that wait. */
static void offer_words(Shingler *s)
{
    uint64_t phrases[BATCH];
    if (s->count < K_WORDS) return;
    s->join(s, s->words, s->count, phrases);
    s->offer(s, phrases, s->count - OVERLAP);
    memmove(s->words, s->words + s->count - OVERLAP, OVERLAP * sizeof *s->words);
    s->count = OVERLAP;
}

/* Add words of a page behind those that came before. */
static void add_words(Shingler *s, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count && s->firsts < OVERLAP; i++)
        s->first[s->firsts++] = words[i];
    while (count) {
        size_t more = BATCH + OVERLAP - s->count;
        if (more > count) more = count;
        memcpy(s->words + s->count, words, more * sizeof *words);
        s->count += more;
        words += more, count -= more;
        if (s->count == BATCH + OVERLAP) offer_words(s);
    }
}

/* End a page: its first words follow its last ones. Return whether it has words. */
static int end_page(Shingler *s)
{
    uint64_t wrapped[OVERLAP];
    if (!s->firsts) return 0;
    for (size_t i = 0; i < OVERLAP; i++) wrapped[i] = s->first[i % s->firsts];
    add_words(s, wrapped, OVERLAP);
    offer_words(s);
    return 1;
}

#endif
