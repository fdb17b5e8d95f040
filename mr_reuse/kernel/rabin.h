/* Rabin fingerprints of degree 64, as in text/rabin.py. */

#ifndef RABIN_H
#define RABIN_H
#include "word_hash.h"

typedef uint64_t Products[8][256]; /* of each byte of a number with a power of x */

typedef struct {
    Products products;
    uint64_t starts[9]; /* fingerprints of so many zero bytes */
} Rabin;

static inline uint64_t times_x(uint64_t number, uint64_t polynomial)
{
    return number << 1 ^ (number >> 63 ? polynomial : 0);
}

/* Return the remainder of a power of x. */
static uint64_t power_of_x(uint64_t polynomial, int power)
{
    uint64_t number = 1;
    while (power--) number = times_x(number, polynomial);
    return number;
}

static void make_products(Products products, uint64_t polynomial, int power)
{
    uint64_t number = power_of_x(polynomial, power);
    for (int place = 0; place < 8; place++) {
        products[place][0] = 0;
        for (int bit = 1; bit < 256; bit *= 2) {
            for (int i = 0; i < bit; i++)
                products[place][bit + i] = products[place][i] ^ number;
            number = times_x(number, polynomial);
        }
    }
}

/* Return the remainder of a number times the power of x. */
static inline uint64_t multiply(Products products, uint64_t number)
{
    return products[0][number & 255] ^ products[1][number >> 8 & 255]
           ^ products[2][number >> 16 & 255] ^ products[3][number >> 24 & 255]
           ^ products[4][number >> 32 & 255] ^ products[5][number >> 40 & 255]
           ^ products[6][number >> 48 & 255] ^ products[7][number >> 56];
}

static inline void make_rabin(Rabin *r, uint64_t polynomial)
{
    make_products(r->products, polynomial, 64);
    for (int size = 0; size <= 8; size++)
        r->starts[size] = power_of_x(polynomial, 64 + 8 * size);
}

/* Return the bytes of a little-endian block, 1 to 8, as a number, the first one highest. */
static inline uint64_t number_of(uint64_t block, int size)
{
    return __builtin_bswap64(block) >> (64 - 8 * size);
}

/* Return the fingerprint of bytes of a block, 1 to 8. The others are zeros. */
static inline uint64_t first_bytes(Rabin *r, uint64_t block, int size)
{
    return r->starts[size] ^ multiply(r->products, number_of(block, size));
}

/* Return the fingerprint of some bytes and such bytes, given that of the former. */
static inline uint64_t more_bytes(Rabin *r, uint64_t fingerprint, uint64_t block, int size)
{
    uint64_t number = number_of(block, size);
    if (size == 8) return multiply(r->products, fingerprint ^ number);
    return fingerprint << 8 * size
           ^ multiply(r->products, fingerprint >> (64 - 8 * size) ^ number);
}

#endif
