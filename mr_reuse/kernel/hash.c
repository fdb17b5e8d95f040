/* Hashes of many messages. Each lane of a vector register hashes a message of its own. */

#include "hash.h"

#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

#define MOST 16 /* lanes at most */
#define BLOCK 64
/* Class of a length by powers of two: smaller for longer messages, 63 below two blocks. */
#define CLASS(length) __builtin_clzll((length) / BLOCK | 1)

#define CHOOSE(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJORITY(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};
static const uint32_t START1[8] = {
    0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0,
};
static const uint32_t START256[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static inline uint32_t big_endian(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, 4);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    return word;
}

#define LANES 4
#define TARGET
#define NAME(x) x##_4
#include "lanes.h"
#undef LANES
#undef TARGET
#undef NAME

#ifdef __x86_64__
#define LANES 8
#define TARGET __attribute__((target("avx2")))
#define NAME(x) x##_8
#include "lanes.h"
#undef LANES
#undef TARGET
#undef NAME

#define LANES 16
#define TARGET __attribute__((target("avx512f")))
#define NAME(x) x##_16
#include "lanes.h"

#include "sha_ni.h"
#endif

typedef void Step(uint32_t *states, const uint8_t *const *blocks);

typedef struct {
    const char *name;
    int lanes;
    Step *sha1, *sha256;
} Way;

static const Way WAYS[] = { /* the fastest one first */
#ifdef __x86_64__
    {"avx512", 16, sha1_16, sha256_16},
    {"sha-ni", 1, sha1_ni, sha256_ni},
    {"avx2", 8, sha1_8, sha256_8},
#endif
    {"plain", 4, sha1_4, sha256_4},
};
static const Way *chosen;
static const Way *alone; /* hashes a single message faster than `chosen`; may be NULL */

static int possible(const Way *way)
{
#ifdef __x86_64__
    unsigned a, b, c, d;
    __builtin_cpu_init();
    if (way->lanes == 1) /* older compilers do not support "sha" as a name */
        return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 29 & 1
            && __builtin_cpu_supports("sse4.1");
    if (way->lanes == 16) return __builtin_cpu_supports("avx512f");
    if (way->lanes == 8) return __builtin_cpu_supports("avx2");
#endif
    return way->lanes == 4;
}

int hash_choose(const char *name)
{
    alone = NULL;
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++)
        if (WAYS[i].lanes == 1 && possible(&WAYS[i])) alone = &WAYS[i];
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++)
        if (possible(&WAYS[i]) && (!*name || !strcmp(name, WAYS[i].name))) {
            chosen = &WAYS[i];
            return 1;
        }
    return 0;
}

const char *hash_with(void)
{
    if (!chosen) hash_choose("");
    return chosen->name;
}

/* The state of all lanes. A lane hashes a message in two runs of blocks. The full blocks
   are read in place. The rest is copied to `ends`, with its padding. */
typedef struct {
    const Message *messages;
    const uint32_t *order;
    size_t next, count;
    uint8_t *digests;
    int size, width, busy;
    uint32_t states[8 * MOST] __attribute__((aligned(64)));
    const uint8_t *blocks[MOST]; /* the next block of each lane */
    size_t left[MOST];           /* blocks left in the run */
    size_t message[MOST];        /* number of the message; IDLE if none is left */
    int in_end[MOST];
    uint8_t ends[MOST][2 * BLOCK];
} Lanes;

static const uint8_t NOTHING[BLOCK];
static const size_t IDLE = -1;

/* Begin the second run of a message: the rest, the bit 1, zeros and the length in bits. */
static void begin_end(Lanes *lanes, int i)
{
    const Message *message = &lanes->messages[lanes->message[i]];
    size_t rest = message->length % BLOCK, size = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    uint64_t bits = __builtin_bswap64(8 * (uint64_t)message->length);
    uint8_t *end = lanes->ends[i];
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    bits = __builtin_bswap64(bits);
#endif
    memcpy(end, message->data + message->length - rest, rest);
    memset(end + rest, 0, size - rest);
    end[rest] = 0x80;
    memcpy(end + size - 8, &bits, 8);
    lanes->blocks[i] = end;
    lanes->left[i] = size / BLOCK;
    lanes->in_end[i] = 1;
}

/* Begin the next message in a lane. An idle lane hashes NOTHING, as lanes run in step. */
static void begin(Lanes *lanes, int i)
{
    if (lanes->next == lanes->count) {
        lanes->busy -= lanes->message[i] != IDLE;
        lanes->message[i] = IDLE;
        lanes->blocks[i] = NOTHING;
        lanes->left[i] = 1;
        return;
    }
    const uint32_t *start = lanes->size == SHA1 ? START1 : START256;
    for (int j = 0; j < 8; j++) lanes->states[j * lanes->width + i] = start[j];
    size_t number = lanes->message[i] = lanes->order[lanes->next++];
    lanes->blocks[i] = lanes->messages[number].data;
    lanes->left[i] = lanes->messages[number].length / BLOCK;
    lanes->in_end[i] = 0;
    if (!lanes->left[i]) begin_end(lanes, i);
}

/* Continue a lane at the end of a run: with the second run, or else with the next message
   after writing the digest. */
static void go_on(Lanes *lanes, int i)
{
    if (lanes->message[i] != IDLE) {
        if (!lanes->in_end[i]) {
            begin_end(lanes, i);
            return;
        }
        uint8_t *digest = lanes->digests + lanes->message[i] * lanes->size;
        for (int j = 0; j < lanes->size / 4; j++) {
            uint32_t word = lanes->states[j * lanes->width + i];
            word = big_endian((const uint8_t *)&word);
            memcpy(digest + 4 * j, &word, 4);
        }
    }
    begin(lanes, i);
}

/* Hash the rest of the message of a lane, one block at a time. No other message begins. */
static void finish(Lanes *lanes, int i, Step *step)
{
    uint32_t state[8];
    while (lanes->message[i] != IDLE) {
        for (int j = 0; j < 8; j++) state[j] = lanes->states[j * lanes->width + i];
        for (; lanes->left[i]; lanes->left[i]--, lanes->blocks[i] += BLOCK)
            step(state, &lanes->blocks[i]);
        for (int j = 0; j < 8; j++) lanes->states[j * lanes->width + i] = state[j];
        go_on(lanes, i);
    }
}

/* Sort messages roughly from the longest to the shortest. A long message that begins late
   would leave the other lanes idle at the end. */
static void put_in_order(const Message *messages, size_t count, uint32_t *order)
{
    size_t places[65] = {0};
    for (size_t i = 0; i < count; i++) places[CLASS(messages[i].length) + 1]++;
    for (int i = 1; i < 65; i++) places[i] += places[i - 1];
    for (size_t i = 0; i < count; i++) order[places[CLASS(messages[i].length)]++] = i;
}

void hash_all(int size, const Message *messages, size_t count, uint32_t *order,
              uint8_t *digests)
{
    Lanes lanes;
    hash_with();
    Step *step = size == SHA1 ? chosen->sha1 : chosen->sha256;
    lanes.messages = messages, lanes.order = order, lanes.digests = digests;
    lanes.next = 0, lanes.count = count;
    lanes.size = size, lanes.busy = lanes.width = chosen->lanes;
    put_in_order(messages, count, order);
    for (int i = 0; i < lanes.width; i++) lanes.message[i] = 0, begin(&lanes, i);
    /* A block in all lanes takes about as long as four blocks one by one. */
    int few = alone ? lanes.width < 8 ? lanes.width / 2 : 4 : 0;
    while (lanes.busy > few) {
        step(lanes.states, lanes.blocks);
        for (int i = 0; i < lanes.width; i++) {
            lanes.blocks[i] += BLOCK;
            if (!--lanes.left[i]) go_on(&lanes, i);
        }
    }
    step = lanes.busy ? size == SHA1 ? alone->sha1 : alone->sha256 : NULL;
    for (int i = 0; i < lanes.width; i++) finish(&lanes, i, step);
}
