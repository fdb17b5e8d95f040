/* Phrases and their least values, in the instructions GFNI, VPCLMULQDQ and AVX-512 of x86.
   The results are those of join_plain and highest.h.

   A plane holds the bytes at one place of many phrases. An affine instruction multiplies 64
   bytes by a matrix of bits, so eight of them make the highest byte of a function for 64
   phrases. Intel's manual defines the instructions. */

#include <cpuid.h>
#include <immintrin.h>

#define GFNI \
    __attribute__((target("avx512f,avx512bw,avx512vbmi,gfni,vpclmulqdq,pclmul,sse4.1")))
enum { GROUP = 64, GROUPS = BATCH / GROUP };

static int has_gfni(void)
{
    unsigned a, b, c, d;
    __builtin_cpu_init();
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && c >> 8 & 1 && c >> 10 & 1
           && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi")
           && __builtin_cpu_supports("pclmul");
}

/* Set the matrices of a function, by the products of bytes with x^64. The last byte of a
   matrix makes the lowest bit. */
static void make_matrices(uint64_t *matrices, Products products)
{
    for (int place = 0; place < 8; place++) {
        matrices[place] = 0;
        for (int from = 0; from < 8; from++)
            for (int to = 0; to < 8; to++)
                matrices[place] |= (products[place][1 << from] >> (56 + to) & 1)
                                   << (8 * (7 - to) + from);
    }
}

/* Return what x^128 divided by a polynomial is, without x^64. */
static uint64_t quotient_of(uint64_t polynomial)
{
    uint64_t quotient = 0, rest = polynomial;
    for (int i = 0; i < 64; i++) {
        quotient = quotient << 1 | rest >> 63;
        rest = times_x(rest, polynomial);
    }
    return quotient;
}

/* As value_of. The division by a polynomial is a product with its inverse. */
GFNI static inline uint64_t value_clmul(const Shingler *s, int function, uint64_t phrase)
{
    __m128i x = _mm_cvtsi64_si128(phrase);
    __m128i both = _mm_set_epi64x(s->polynomials[function], s->quotients[function]);
    __m128i whole = _mm_unpackhi_epi64(_mm_clmulepi64_si128(x, both, 0x00), x);
    whole = _mm_xor_si128(whole, x);
    return _mm_cvtsi128_si64(_mm_clmulepi64_si128(whole, both, 0x10))
           ^ s->leadings[function];
}

/* Return the least of 64 bytes. */
GFNI static inline int least_byte(__m512i bytes)
{
    __m256i half = _mm256_min_epu8(_mm512_castsi512_si256(bytes),
                                   _mm512_extracti64x4_epi64(bytes, 1));
    __m128i x = _mm_min_epu8(_mm256_castsi256_si128(half),
                             _mm256_extracti128_si256(half, 1));
    x = _mm_min_epu8(x, _mm_srli_epi16(x, 8)); /* of two bytes, in the lower one */
    return _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_and_si128(x, _mm_set1_epi16(255)))) & 255;
}

/* Offer the phrases whose highest byte is the least. */
GFNI static void offer_mask(Shingler *s, int function, const uint64_t *phrases,
                            uint64_t mask)
{
    while (mask) {
        uint64_t phrase = phrases[__builtin_ctzll(mask)];
        mask &= mask - 1;
        if (!is_known(s, function, phrase))
            offer_value(s, function, value_clmul(s, function, phrase), phrase);
    }
}

GFNI static void make_planes(const uint64_t *phrases, size_t count,
                             uint64_t planes[8][BATCH / 8])
{
    uint8_t order[64];
    for (int i = 0; i < 64; i++) order[i] = i % 8 * 8 + i / 8;
    __m512i index = _mm512_loadu_si512(order);
    for (size_t i = 0; i < count; i += 8) {
        uint64_t parts[8];
        __mmask8 some = count - i < 8 ? (1 << (count - i)) - 1 : 255;
        __m512i eight = _mm512_maskz_loadu_epi64(some, phrases + i);
        _mm512_storeu_si512(parts, _mm512_permutexvar_epi8(index, eight));
        for (int place = 0; place < 8; place++) planes[place][i / 8] = parts[place];
    }
}

GFNI static void offer_gfni(Shingler *s, const uint64_t *phrases, size_t count)
{
    uint64_t planes[8][BATCH / 8];
    __m512i highest[GROUPS];
    size_t groups = (count + GROUP - 1) / GROUP;
    uint64_t last = ~0ull >> (groups * GROUP - count); /* the phrases of the last group */
    make_planes(phrases, count, planes);
    for (int f = 0; f < FUNCTIONS; f++) {
        __m512i matrices[8], least = _mm512_set1_epi8(s->values[f] >> 56);
        __m512i leading = _mm512_set1_epi8(s->leadings[f] >> 56);
        for (int i = 0; i < 8; i++) matrices[i] = _mm512_set1_epi64(s->matrices[f][i]);
        for (size_t g = 0; g < groups; g++) {
            __m512i sum = leading;
            for (int i = 0; i < 8; i++) {
                __m512i plane = _mm512_loadu_si512(planes[i] + 8 * g);
                sum = _mm512_xor_si512(
                    sum, _mm512_gf2p8affine_epi64_epi8(plane, matrices[i], 0));
            }
            if (g + 1 == groups) /* all bits for what is no phrase */
                sum = _mm512_mask_mov_epi8(_mm512_set1_epi8(-1), last, sum);
            highest[g] = sum;
            least = _mm512_min_epu8(least, sum);
        }
        least = _mm512_set1_epi8(least_byte(least));
        for (size_t g = 0; g < groups; g++) {
            uint64_t mask = _mm512_cmpeq_epi8_mask(highest[g], least);
            if (g + 1 == groups) mask &= last;
            offer_mask(s, f, phrases + g * GROUP, mask);
        }
    }
}

/* Set what join_gfni needs: the powers of x by which it multiplies words, and the numbers
   of a division. */
static void make_joining(Shingler *s, uint64_t polynomial)
{
    for (int i = 0; i < OVERLAP; i++)
        s->joining[i] = power_of_x(polynomial, 64 * (K_WORDS - i));
    s->joining[OVERLAP] = quotient_of(polynomial);
    s->joining[OVERLAP + 1] = polynomial;
}

/* Return the remainders of four numbers of 128 bits, in the lower halves. */
GFNI static inline __m512i divide(__m512i numbers, __m512i quotient, __m512i polynomial)
{
    __m512i whole = _mm512_clmulepi64_epi128(numbers, quotient, 0x01);
    whole = _mm512_xor_si512(whole, numbers);
    return _mm512_xor_si512(numbers, _mm512_clmulepi64_epi128(whole, polynomial, 0x01));
}

/* As join_plain. A lane of 128 bits holds two words. The products with the first ones and
   with the second ones are sums of their own, with the last word of a phrase in front. */
GFNI static void join_gfni(Shingler *s, const uint64_t *words, size_t count,
                           uint64_t *phrases)
{
    __m512i powers[OVERLAP], zero = _mm512_setzero_si512();
    for (int i = 0; i < OVERLAP; i++) powers[i] = _mm512_set1_epi64(s->joining[i]);
    __m512i quotient = _mm512_set1_epi64(s->joining[OVERLAP]);
    __m512i polynomial = _mm512_set1_epi64(s->joining[OVERLAP + 1]);
    __m512i leading = _mm512_set1_epi64(s->leading);
    for (size_t at = 0; at + OVERLAP < count; at += 8) {
        size_t left = count - OVERLAP - at;
        __mmask8 some = left < 8 ? (1 << left) - 1 : 255;
        __m512i last = _mm512_maskz_loadu_epi64(some, words + at + OVERLAP);
        __m512i first = _mm512_unpacklo_epi64(zero, last);
        __m512i second = _mm512_unpackhi_epi64(zero, last);
        for (int i = 0; i < OVERLAP; i++) {
            __m512i row = _mm512_maskz_loadu_epi64(some, words + at + i), power = powers[i];
            first = _mm512_xor_si512(first, _mm512_clmulepi64_epi128(row, power, 0x00));
            second = _mm512_xor_si512(second, _mm512_clmulepi64_epi128(row, power, 0x01));
        }
        first = divide(first, quotient, polynomial);
        second = divide(second, quotient, polynomial);
        __m512i found = _mm512_xor_si512(_mm512_unpacklo_epi64(first, second), leading);
        _mm512_mask_storeu_epi64(phrases + at, some, found);
    }
}
