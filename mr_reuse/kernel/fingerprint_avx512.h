/* The same as in fingerprint.h, in the instructions AVX-512, VBMI, VBMI2 and BITALG of x86.
   Intel's manual defines them. */

#include <immintrin.h>

#define AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,avx512bitalg,popcnt")))

static int has_avx512(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
           && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2")
           && __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("popcnt");
}

AVX512 static uint8_t *keep_avx512(const Printer *p, const uint8_t *bytes, size_t count,
                                   uint8_t *at)
{
    __m512i low = _mm512_loadu_si512(p->is_noise), high = _mm512_loadu_si512(p->is_noise + 64);
    for (size_t i = 0; i < count; i += 64) {
        __mmask64 some = count - i < 64 ? (1ull << (count - i)) - 1 : ~0ull;
        __m512i part = _mm512_maskz_loadu_epi8(some, bytes + i);
        __m512i kept = _mm512_permutex2var_epi8(low, part, high); /* by the lower 7 bits */
        __mmask64 is_ascii = ~_mm512_movepi8_mask(part);
        __mmask64 mask = _mm512_mask_test_epi8_mask(some & is_ascii, kept, kept);
        _mm512_storeu_si512(at, _mm512_maskz_compress_epi8(mask, part));
        at += _mm_popcnt_u64(mask);
    }
    return at;
}

/* Sums of digits, as in text/noise/grams.py. */
AVX512 static void hash_avx512(const Printer *p, const uint8_t *noise, size_t count,
                               uint64_t *hashes)
{
    uint64_t sums[1 + AT_ONCE + LONGEST_GRAM + 8];
    __m512i zero = _mm512_setzero_si512(), before = zero, last = _mm512_set1_epi64(7);
    size_t n = p->n, digits = count + n - 1;
    sums[0] = 0;
    for (size_t i = 0; i < digits; i += 8) {
        __m512i sum = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(noise + i)));
        sum = _mm512_mullo_epi64(sum, _mm512_loadu_si512(p->down + i));
        sum = _mm512_add_epi64(sum, _mm512_alignr_epi64(sum, zero, 7));
        sum = _mm512_add_epi64(sum, _mm512_alignr_epi64(sum, zero, 6));
        sum = _mm512_add_epi64(sum, _mm512_alignr_epi64(sum, zero, 4));
        _mm512_storeu_si512(sums + 1 + i, _mm512_add_epi64(sum, before));
        before = _mm512_add_epi64(before, _mm512_permutexvar_epi64(last, sum));
    }
    __m512i mixer = _mm512_set1_epi64(p->mixer);
    for (size_t i = 0; i < count; i += 8) {
        __mmask8 some = count - i < 8 ? (1 << (count - i)) - 1 : 255;
        __m512i end = _mm512_maskz_loadu_epi64(some, sums + i + n);
        __m512i number = _mm512_sub_epi64(end, _mm512_maskz_loadu_epi64(some, sums + i));
        number = _mm512_mullo_epi64(number, _mm512_loadu_si512(p->up + i));
        number = _mm512_xor_si512(number, _mm512_srli_epi64(number, FIRST_SHIFT));
        number = _mm512_mullo_epi64(number, mixer);
        number = _mm512_xor_si512(number, _mm512_srli_epi64(number, LAST_SHIFT));
        _mm512_mask_storeu_epi64(hashes + i, some, number);
    }
}

/* As offer_plain. An instruction takes any 64 bits of a number, so no hash needs a test. */
AVX512 static void offer_avx512(Printer *p, const uint64_t *hashes, size_t count)
{
    size_t m = p->m;
    int is_power = !(m & (m - 1));
    for (size_t i = 0; i < count; i++) {
        size_t dimension = is_power ? hashes[i] & (m - 1) : hashes[i] % m;
        __m512i shuffle = _mm512_loadu_si512(p->shuffles[dimension]);
        uint64_t value = _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(hashes[i]), shuffle);
        value ^= p->masks[dimension];
        if (value < p->page.least[dimension]) p->page.least[dimension] = value;
    }
}
