/* SHA-1 and SHA-256 of one block in each of LANES messages.

   hash.c includes this file once for each width of registers, with LANES, TARGET and NAME
   defined. States and words are interleaved: a vector has the same word of each message.
   The names a to h, W and K are those of FIPS 180-4. W is a ring of 16 words, which stay in
   registers: the rounds are unrolled, so that each index of the ring is a constant. */

#include "transpose.h"

typedef uint32_t NAME(Vector) __attribute__((vector_size(4 * LANES)));
#define V NAME(Vector)
#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define RIGHT(x, n) ROTATE(x, 32 - (n))
#define SWAP(x) ((ROTATE(x, 8) & 0x00ff00ff) | (ROTATE(x, 24) & 0xff00ff00))

/* Load the first 16 words of W. They are transposed in registers: to write them one by one
   would add two thirds to the time of a block. */
TARGET static inline void NAME(load)(V *w, const uint8_t *const *blocks)
{
#ifdef ROWS
    for (int i = 0; i < 16; i += 4) {
        V a = (V)ROWS(blocks, 4 * i), b = (V)ROWS(blocks + 1, 4 * i);
        V c = (V)ROWS(blocks + 2, 4 * i), d = (V)ROWS(blocks + 3, 4 * i);
        V ab = (V)LOW32(a, b), cd = (V)LOW32(c, d);
        w[i] = SWAP((V)LOW64(ab, cd)), w[i + 1] = SWAP((V)HIGH64(ab, cd));
        ab = (V)HIGH32(a, b), cd = (V)HIGH32(c, d);
        w[i + 2] = SWAP((V)LOW64(ab, cd)), w[i + 3] = SWAP((V)HIGH64(ab, cd));
    }
#else
    uint32_t words[16][LANES] __attribute__((aligned(64)));
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 16; i++) words[i][lane] = big_endian(blocks[lane] + 4 * i);
    memcpy(w, words, sizeof words);
#endif
}

/* Round i, and the word of W that is needed 16 rounds later. */
#define ROUND(a, b, c, d, e, F, k, i)                                              \
    e += w[(i) % 16] + k;                                                          \
    e += F(b, c, d);                                                               \
    e += ROTATE(a, 5);                                                             \
    b = ROTATE(b, 30);                                                             \
    if (i < 64) {                                                                  \
        V x = w[(i + 13) % 16] ^ w[(i + 8) % 16] ^ w[(i + 2) % 16] ^ w[(i) % 16];  \
        w[(i) % 16] = ROTATE(x, 1);                                                \
    }
#define FIVE(F, k, i)                     \
    ROUND(a, b, c, d, e, F, k, i)         \
    ROUND(e, a, b, c, d, F, k, (i + 1))   \
    ROUND(d, e, a, b, c, F, k, (i + 2))   \
    ROUND(c, d, e, a, b, F, k, (i + 3))   \
    ROUND(b, c, d, e, a, F, k, (i + 4))
#define TWENTY(F, k, i) FIVE(F, k, i) FIVE(F, k, (i + 5)) FIVE(F, k, (i + 10)) FIVE(F, k, (i + 15))

TARGET static void NAME(sha1)(uint32_t *states, const uint8_t *const *blocks)
{
    V w[16], *state = (V *)states;
    V a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    NAME(load)(w, blocks);
    TWENTY(CHOOSE, 0x5a827999, 0)
    TWENTY(PARITY, 0x6ed9eba1, 20)
    TWENTY(MAJORITY, 0x8f1bbcdc, 40)
    TWENTY(PARITY, 0xca62c1d6, 60)
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

TARGET static void NAME(sha256)(uint32_t *states, const uint8_t *const *blocks)
{
    V w[16], s[8], *state = (V *)states;
    for (int i = 0; i < 8; i++) s[i] = state[i];
    NAME(load)(w, blocks);
    for (int from = 0; from < 64; from += 16) {
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            V a = s[0], e = s[4];
            V first = s[7] + K[from + i] + w[i] + CHOOSE(e, s[5], s[6])
                + (RIGHT(e, 6) ^ RIGHT(e, 11) ^ RIGHT(e, 25));
            V second = (RIGHT(a, 2) ^ RIGHT(a, 13) ^ RIGHT(a, 22))
                + MAJORITY(a, s[1], s[2]);
            for (int j = 7; j > 0; j--) s[j] = s[j - 1];
            s[4] += first;
            s[0] = first + second;
            V x = w[(i + 1) % 16], y = w[(i + 14) % 16];
            w[i] += w[(i + 9) % 16] + (RIGHT(x, 7) ^ RIGHT(x, 18) ^ (x >> 3))
                + (RIGHT(y, 17) ^ RIGHT(y, 19) ^ (y >> 10));
        }
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

#undef V
#undef ROTATE
#undef RIGHT
#undef ROUND
#undef FIVE
#undef TWENTY
#undef SWAP
#undef R
#undef FOUR
