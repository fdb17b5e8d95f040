/* Hashes of words in two lanes, as in text/word_hashes.py; letters and digits of ASCII,
   eight at a time. */

#ifndef WORD_HASH_H
#define WORD_HASH_H
#include <stdint.h>
#include <string.h>

#define EACH(byte) (0x0101010101010101ull * (byte))
#define ALWAYS __attribute__((always_inline))

typedef struct {
    uint64_t first, second;
} Lanes;

static const Lanes SEEDS = {0x9E3779B97F4A7C15ull, 0x6A09E667F3BCC909ull};

static inline Lanes add_block(Lanes lanes, uint64_t block)
{
    uint64_t a = lanes.first ^ block, b = lanes.second ^ block;
    a ^= a >> 33, b ^= b >> 30;
    a *= 0xFF51AFD7ED558CCDull, b *= 0xBF58476D1CE4E5B9ull;
    a ^= a >> 33, b ^= b >> 27;
    a *= 0xC4CEB9FE1A85EC53ull, b *= 0x94D049BB133111EBull;
    return (Lanes){a ^ a >> 33, b ^ b >> 31};
}

/* Return eight bytes as a little-endian number. */
static inline uint64_t load_block(const uint8_t *at)
{
    uint64_t block;
    memcpy(&block, at, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    block = __builtin_bswap64(block);
#endif
    return block;
}

/* Write eight bytes of a little-endian number. */
static inline void store_block(uint8_t *at, uint64_t block)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    block = __builtin_bswap64(block);
#endif
    memcpy(at, &block, 8);
}

/* Return fewer bytes as such a number, before the end of the data; the others are zeros. */
static inline uint64_t load_some(const uint8_t *at, const uint8_t *end)
{
    if (end - at >= 8) return load_block(at);
    uint64_t block = 0;
    for (int i = 0; i < end - at; i++) block |= (uint64_t)at[i] << 8 * i;
    return block;
}

/* Return a block whose highest bits say which bytes are ASCII letters or digits. In each
   byte, an addition carries into the highest bit from the first of a range on. */
static inline uint64_t letters_of(uint64_t block)
{
    uint64_t low = block & EACH(0x7F), small = low | EACH(0x20);
    uint64_t letters = (small + EACH(0x80 - 'a')) & ~(small + EACH(0x7F - 'z'));
    uint64_t digits = (low + EACH(0x80 - '0')) & ~(low + EACH(0x7F - '9'));
    return (letters | digits) & ~block & EACH(0x80);
}

/* Return how many of the first bytes of a block are ASCII letters or digits, 0 to 8. */
static inline int count_letters(uint64_t block)
{
    uint64_t others = letters_of(block) ^ EACH(0x80);
    return others ? __builtin_ctzll(others) >> 3 : 8;
}

/* Return the first bytes of a block, 1 to 8, which are letters and digits, in lower case. A
   digit has the bit already that makes a letter small. */
static inline uint64_t small_letters(uint64_t block, int count)
{
    return (block | EACH(0x20)) & ~0ull >> (64 - 8 * count);
}

static inline int is_letter(uint8_t c)
{
    return (uint8_t)((c | 32) - 'a') < 26;
}

#endif
