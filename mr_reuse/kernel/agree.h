/* In how many dimensions two fingerprints agree, as in algorithms/agreement.py.

   A fingerprint is a row of keys of 1, 2, 4 or 8 bytes. All bits set say that a dimension
   is empty. */

#ifndef AGREE_H
#define AGREE_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX
#define ALL SIZE_MAX

typedef struct {
    unsigned agreeing, both_empty; /* dimensions */
} Agreement;

/* Compare two rows of m keys. */
typedef Agreement Compare(const uint8_t *one, const uint8_t *other, size_t m);

/* Sixteen bytes at a time. A lane counts at most m divided by the number of lanes. */
#define DEFINE_COMPARE(Name, Key)                                                      \
    typedef Key Name##Lanes __attribute__((vector_size(16)));                          \
    static Agreement Name(const uint8_t *one, const uint8_t *other, size_t m)          \
    {                                                                                  \
        enum { LANES = 16 / sizeof(Key) };                                             \
        Name##Lanes equal = {0}, empty = {0}, a, b;                                    \
        Agreement found = {0, 0};                                                      \
        size_t i = 0;                                                                  \
        for (; i + LANES <= m; i += LANES) {                                           \
            memcpy(&a, one + i * sizeof(Key), 16);                                     \
            memcpy(&b, other + i * sizeof(Key), 16);                                   \
            equal -= (Name##Lanes)(a == b);                                            \
            empty -= (Name##Lanes)((a & b) == (Key)-1);                                \
        }                                                                              \
        for (int lane = 0; lane < LANES; lane++)                                       \
            found.agreeing += equal[lane], found.both_empty += empty[lane];            \
        for (; i < m; i++) {                                                           \
            Key x, y;                                                                  \
            memcpy(&x, one + i * sizeof(Key), sizeof x);                               \
            memcpy(&y, other + i * sizeof(Key), sizeof y);                             \
            found.agreeing += x == y, found.both_empty += (Key)(x & y) == (Key)-1;     \
        }                                                                              \
        found.agreeing -= found.both_empty;                                            \
        return found;                                                                  \
    }
DEFINE_COMPARE(compare_8, uint8_t)
DEFINE_COMPARE(compare_16, uint16_t)
DEFINE_COMPARE(compare_32, uint32_t)

/* The smallest vectors of x86 have no comparison of 64 bits. */
static Agreement compare_64(const uint8_t *one, const uint8_t *other, size_t m)
{
    Agreement found = {0, 0};
    for (size_t i = 0; i < m; i++) {
        uint64_t x, y;
        memcpy(&x, one + 8 * i, 8);
        memcpy(&y, other + 8 * i, 8);
        found.agreeing += x == y;
        found.both_empty += (x & y) == UINT64_MAX;
    }
    found.agreeing -= found.both_empty;
    return found;
}

static Compare *compare_of(size_t width)
{
    return width == 1 ? compare_8 : width == 2 ? compare_16 : width == 4 ? compare_32
           : width == 8 ? compare_64 : NULL;
}

typedef struct {
    uint32_t first, second;
} Pair;

typedef struct {
    const uint8_t *rows;
    size_t m, width;
    Compare *compare;
    unsigned t;     /* dimensions in which rows agree that are alike */
    int normalizes; /* whether dimensions that are empty in both do not count */
    size_t all_pairs, representatives;
    uint32_t *nexts, *heads, *tails; /* room for the rows of a bucket */
    Pair *pairs;
    size_t count, room;
    uint64_t made, left_out; /* comparisons */
} Search;

static int is_alike(Search *s, size_t one, size_t other)
{
    size_t size = s->m * s->width;
    Agreement found = s->compare(s->rows + one * size, s->rows + other * size, s->m);
    s->made++;
    if (!s->normalizes) return found.agreeing >= s->t;
    return found.agreeing && found.agreeing * s->m >= s->t * (s->m - found.both_empty);
}

static int add_pair(Search *s, size_t first, size_t second)
{
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 1024;
        Pair *pairs = realloc(s->pairs, room * sizeof *pairs);
        if (!pairs) return 0;
        s->pairs = pairs, s->room = room;
    }
    s->pairs[s->count++] = (Pair){first, second};
    return 1;
}

/* Compare each row of a bucket with the rows before it, or with representatives among them,
   at most `most` if that is not ALL. Rows that were joined are groups, lists in the order of `nexts`. A
   row that is alike one of a group needs no comparison with the others of it. A
   representative is a row that was alike none. */
static int search_bucket(Search *s, size_t start, size_t count, size_t most)
{
    size_t groups = 0, members = 0;
    for (size_t row = 0; row < count; row++) {
        size_t kept = 0, home = SIZE_MAX;
        for (size_t g = 0; g < groups; g++) {
            uint32_t member = s->heads[g];
            while (member != NOBODY && !is_alike(s, start + member, start + row))
                member = s->nexts[member];
            if (member != NOBODY && !add_pair(s, start + member, start + row)) return 0;
            if (member != NOBODY && home != SIZE_MAX) {
                s->nexts[s->tails[home]] = s->heads[g];
                s->tails[home] = s->tails[g];
                continue;
            }
            if (member != NOBODY) home = kept;
            s->heads[kept] = s->heads[g], s->tails[kept++] = s->tails[g];
        }
        groups = kept;
        s->left_out += row - members;
        if (most != ALL && (home != SIZE_MAX || members == most)) continue;
        members++;
        s->nexts[row] = NOBODY;
        if (home == SIZE_MAX)
            s->heads[groups] = s->tails[groups] = row, groups++;
        else
            s->nexts[s->tails[home]] = row, s->tails[home] = row;
    }
    return 1;
}

/* Search buckets, which follow each other; return 0 if there is no memory. */
static int search_buckets(Search *s, const uint64_t *sizes, size_t count)
{
    size_t largest = 0, start = 0;
    for (size_t i = 0; i < count; i++) largest = sizes[i] > largest ? sizes[i] : largest;
    uint32_t *room = malloc((3 * largest + 1) * sizeof *room);
    int is_done = room != NULL;
    s->nexts = room, s->heads = room + largest, s->tails = room + 2 * largest;
    for (size_t i = 0; i < count && is_done; start += sizes[i++]) {
        int is_large = sizes[i] > s->all_pairs;
        is_done = search_bucket(s, start, sizes[i], is_large ? s->representatives : ALL);
    }
    free(room);
    return is_done;
}

#endif
