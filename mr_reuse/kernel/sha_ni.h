/* SHA-1 and SHA-256 of one block, with the SHA instructions of x86 ("SHA-NI").

   A register holds four words of W, or half of the state. Intel's manual defines the
   instructions and the order of words in the registers. */

#define NI __attribute__((target("sha,sse4.1")))
#define LOAD(at) _mm_loadu_si128((const __m128i *)(at))
#define STORE(at, x) _mm_storeu_si128((__m128i *)(at), x)

/* Five groups of four rounds with the same function. The highest word of `e` is E. */
#define GROUPS(from, function)                                            \
    for (int i = from; i < from + 5; i++) {                               \
        e = i ? _mm_sha1nexte_epu32(before, w[i]) : _mm_add_epi32(e, w[i]); \
        before = abcd;                                                    \
        abcd = _mm_sha1rnds4_epu32(abcd, e, function);                    \
    }

NI static void sha1_ni(uint32_t *state, const uint8_t *const *blocks)
{
    const __m128i reverse = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
    __m128i w[20], abcd = _mm_shuffle_epi32(LOAD(state), 0x1b), before = abcd;
    __m128i e = _mm_set_epi32(state[4], 0, 0, 0);
    const __m128i old_abcd = abcd, old_e = e;
    for (int i = 0; i < 4; i++)
        w[i] = _mm_shuffle_epi8(LOAD(blocks[0] + 16 * i), reverse);
    for (int i = 4; i < 20; i++) {
        w[i] = _mm_xor_si128(_mm_sha1msg1_epu32(w[i - 4], w[i - 3]), w[i - 2]);
        w[i] = _mm_sha1msg2_epu32(w[i], w[i - 1]);
    }
    GROUPS(0, 0)
    GROUPS(5, 1)
    GROUPS(10, 2)
    GROUPS(15, 3)
    e = _mm_sha1nexte_epu32(before, old_e);
    abcd = _mm_add_epi32(abcd, old_abcd);
    STORE(state, _mm_shuffle_epi32(abcd, 0x1b));
    state[4] = _mm_extract_epi32(e, 3);
}

NI static void sha256_ni(uint32_t *state, const uint8_t *const *blocks)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i cdab = _mm_shuffle_epi32(LOAD(state), 0xb1);
    __m128i efgh = _mm_shuffle_epi32(LOAD(state + 4), 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
    const __m128i old_abef = abef, old_cdgh = cdgh;
    __m128i w[16];
    for (int i = 0; i < 4; i++)
        w[i] = _mm_shuffle_epi8(LOAD(blocks[0] + 16 * i), swap);
    for (int i = 4; i < 16; i++) {
        w[i] = _mm_add_epi32(_mm_sha256msg1_epu32(w[i - 4], w[i - 3]),
                             _mm_alignr_epi8(w[i - 1], w[i - 2], 4));
        w[i] = _mm_sha256msg2_epu32(w[i], w[i - 1]);
    }
    for (int i = 0; i < 16; i++) {
        __m128i sum = _mm_add_epi32(w[i], LOAD(K + 4 * i));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, old_abef);
    cdgh = _mm_add_epi32(cdgh, old_cdgh);
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    STORE(state, _mm_blend_epi16(feba, dchg, 0xf0));
    STORE(state + 4, _mm_alignr_epi8(dchg, feba, 8));
}

#undef LOAD
#undef STORE
#undef GROUPS
