/* SHA-1 and SHA-256 of one block in each of LANES messages.

   hash.c includes this file once for each width of registers, with LANES, TARGET and NAME
   defined. States and words are interleaved: a vector has the same word of each message.
   The names a to h, W and K are those of FIPS 180-4. */

typedef uint32_t NAME(Vector) __attribute__((vector_size(4 * LANES)));
#define V NAME(Vector)
#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define RIGHT(x, n) ROTATE(x, 32 - (n))

/* Load the first 16 words of W. */
TARGET static void NAME(load)(V *w, const uint8_t *const *blocks)
{
    uint32_t words[16][LANES] __attribute__((aligned(64)));
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 16; i++) words[i][lane] = big_endian(blocks[lane] + 4 * i);
    memcpy(w, words, sizeof words);
}

#define ROUND(a, b, c, d, e, f, k, i)                    \
    e += ROTATE(a, 5) + (f) + (k) + w[i];                \
    b = ROTATE(b, 30);
#define ROUNDS(from, F, k)                               \
    for (int i = from; i < from + 20; i += 5) {          \
        ROUND(a, b, c, d, e, F(b, c, d), k, i)           \
        ROUND(e, a, b, c, d, F(a, b, c), k, i + 1)       \
        ROUND(d, e, a, b, c, F(e, a, b), k, i + 2)       \
        ROUND(c, d, e, a, b, F(d, e, a), k, i + 3)       \
        ROUND(b, c, d, e, a, F(c, d, e), k, i + 4)       \
    }

TARGET static void NAME(sha1)(uint32_t *states, const uint8_t *const *blocks)
{
    V w[80], *state = (V *)states;
    V a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    NAME(load)(w, blocks);
    for (int i = 16; i < 80; i++) {
        V x = w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16];
        w[i] = ROTATE(x, 1);
    }
    ROUNDS(0, CHOOSE, 0x5a827999)
    ROUNDS(20, PARITY, 0x6ed9eba1)
    ROUNDS(40, MAJORITY, 0x8f1bbcdc)
    ROUNDS(60, PARITY, 0xca62c1d6)
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

TARGET static void NAME(sha256)(uint32_t *states, const uint8_t *const *blocks)
{
    V w[64], s[8], *state = (V *)states;
    for (int i = 0; i < 8; i++) s[i] = state[i];
    NAME(load)(w, blocks);
    for (int i = 16; i < 64; i++) {
        V x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (RIGHT(x, 7) ^ RIGHT(x, 18) ^ (x >> 3))
            + (RIGHT(y, 17) ^ RIGHT(y, 19) ^ (y >> 10));
    }
    for (int i = 0; i < 64; i++) {
        V a = s[0], e = s[4];
        V first = s[7] + (RIGHT(e, 6) ^ RIGHT(e, 11) ^ RIGHT(e, 25))
            + CHOOSE(e, s[5], s[6]) + K[i] + w[i];
        V second = (RIGHT(a, 2) ^ RIGHT(a, 13) ^ RIGHT(a, 22))
            + MAJORITY(a, s[1], s[2]);
        for (int j = 7; j > 0; j--) s[j] = s[j - 1];
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

#undef V
#undef ROTATE
#undef RIGHT
#undef ROUND
#undef ROUNDS
