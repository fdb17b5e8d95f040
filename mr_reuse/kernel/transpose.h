/* The operations that transpose words, for LANES lanes of x86. lanes.h includes this file
   for each width of registers.

   ROWS loads four words of every fourth message, one message in each 128 bits. The other
   operations interleave the lower or the higher halves of each 128 bits of two registers,
   by 32 or 64 bits. */

#undef ROWS
#undef LOW32
#undef HIGH32
#undef LOW64
#undef HIGH64
#ifdef __x86_64__
#define FOUR(block, at) _mm_loadu_si128((const __m128i *)((block) + (at)))
#if LANES == 16
#define R(x) ((__m512i)(x))
#define PUT(x, blocks, at, i) _mm512_inserti32x4(x, FOUR((blocks)[4 * (i)], at), i)
#define FIRST(blocks, at) _mm512_castsi128_si512(FOUR((blocks)[0], at))
#define ROWS(blocks, at) \
    PUT(PUT(PUT(FIRST(blocks, at), blocks, at, 1), blocks, at, 2), blocks, at, 3)
#define LOW32(x, y) _mm512_unpacklo_epi32(R(x), R(y))
#define HIGH32(x, y) _mm512_unpackhi_epi32(R(x), R(y))
#define LOW64(x, y) _mm512_unpacklo_epi64(R(x), R(y))
#define HIGH64(x, y) _mm512_unpackhi_epi64(R(x), R(y))
#elif LANES == 8
#define R(x) ((__m256i)(x))
#define ROWS(blocks, at) \
    _mm256_inserti128_si256(_mm256_castsi128_si256(FOUR((blocks)[0], at)), \
                            FOUR((blocks)[4], at), 1)
#define LOW32(x, y) _mm256_unpacklo_epi32(R(x), R(y))
#define HIGH32(x, y) _mm256_unpackhi_epi32(R(x), R(y))
#define LOW64(x, y) _mm256_unpacklo_epi64(R(x), R(y))
#define HIGH64(x, y) _mm256_unpackhi_epi64(R(x), R(y))
#else
#define R(x) ((__m128i)(x))
#define ROWS(blocks, at) FOUR((blocks)[0], at)
#define LOW32(x, y) _mm_unpacklo_epi32(R(x), R(y))
#define HIGH32(x, y) _mm_unpackhi_epi32(R(x), R(y))
#define LOW64(x, y) _mm_unpacklo_epi64(R(x), R(y))
#define HIGH64(x, y) _mm_unpackhi_epi64(R(x), R(y))
#endif
#endif
