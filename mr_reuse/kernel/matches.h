/* Documents that have shingles of a page: the best one for each set of positions. */

#ifndef MATCHES_H
#define MATCHES_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    POSITIONS = 84,
    CODES = 88, /* of a row: 84, and zeros up to a multiple of 16 bytes */
    LOW = 64,   /* positions in the first of two masks */
};
enum { HOME = 1, FOREIGN = 2 }; /* flags */

typedef struct {
    uint64_t low, high; /* a bit for each position */
} Mask;

typedef struct {
    uint64_t name, address;
} Server;

typedef struct {
    uint64_t document;
    Mask mask; /* of the common shingles that are popular */
    uint64_t common, flags;
} Match;

/* Documents in columns, each with a row of codes: small numbers instead of shingles. */
typedef struct {
    const uint16_t *codes;
    const Server *servers;
    const uint64_t *numbers;
    size_t count;
} Documents;

typedef struct {
    const uint16_t *codes; /* none of the 84 is 0 */
    Mask popular;
    Server server;
    uint64_t number;
} CoveredPage;

typedef struct {
    Match *matches;
    size_t count;
} Found;

/* Return the positions at which two rows have the same code. Codes of 0 at the end of
   both are beyond the masks. */
static Mask compare_codes(const uint16_t *one, const uint16_t *other)
{
    Mask mask = {0, 0};
#ifdef __SSE2__
    for (int at = 0; at < CODES; at += 8) {
        __m128i same = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(one + at)),
                                       _mm_loadu_si128((const __m128i *)(other + at)));
        uint64_t bits = _mm_movemask_epi8(_mm_packs_epi16(same, _mm_setzero_si128()));
        if (at < LOW) mask.low |= bits << at;
        else mask.high |= bits << (at - LOW);
    }
#else
    for (int at = 0; at < LOW; at++) mask.low |= (uint64_t)(one[at] == other[at]) << at;
    for (int at = LOW; at < CODES; at++)
        mask.high |= (uint64_t)(one[at] == other[at]) << (at - LOW);
#endif
    mask.high &= ((uint64_t)1 << (POSITIONS - LOW)) - 1;
    return mask;
}

static uint64_t flags_of(Server page, Server other)
{
    int has_names = page.name && other.name;
    int has_addresses = page.address && other.address;
    int is_same = has_addresses && page.address == other.address;
    int is_home = has_names && (page.name == other.name || is_same);
    int is_foreign = !has_names || (has_addresses ? !is_same : page.name != other.name);
    return (is_home ? HOME : 0) | (is_foreign ? FOREIGN : 0);
}

static int is_better(const Match *one, const Match *other)
{
    if (one->common != other->common) return one->common > other->common;
    return one->document < other->document;
}

/* Return the row with the positions of a match, and both at home or both not; or the
   number of rows. */
static size_t *slot_of_match(size_t *slots, size_t last, const Match *rows, const Match *new)
{
    uint64_t mixed = new->mask.low * 0x9E3779B97F4A7C15 ^ new->mask.high * 0xD1B54A32D192ED03;
    size_t at = (mixed ^ mixed >> 29 ^ (new->flags & HOME)) & last;
    for (; slots[at]; at = (at + 1) & last) {
        const Match *row = rows + slots[at] - 1;
        if (row->mask.low == new->mask.low && row->mask.high == new->mask.high
            && (row->flags & HOME) == (new->flags & HOME))
            break;
    }
    return slots + at;
}

/* Keep the best match for each mask and home. Return the new number, or 0 if memory is
   short. */
static size_t keep_best(Match *rows, size_t count)
{
    size_t room = 2, kept = 0;
    while (room < 2 * count) room *= 2;
    size_t *slots = calloc(room, sizeof *slots);
    if (!slots) return 0;
    for (size_t i = 0; i < count; i++) {
        Match row = rows[i];
        size_t *slot = slot_of_match(slots, room - 1, rows, &row);
        if (!*slot) {
            rows[kept] = row;
            *slot = ++kept;
        } else if (is_better(&row, rows + *slot - 1)) {
            rows[*slot - 1] = row;
        }
    }
    free(slots);
    return kept;
}

/* Find the best documents with popular shingles of a page. Return 0 if memory is short.
   `found` has room for a match of each document. */
static int find_matches(Found *found, const Documents *in, const CoveredPage *page)
{
    found->count = 0;
    for (size_t i = 0; i < in->count; i++) {
        Mask mask = compare_codes(page->codes, in->codes + CODES * i);
        Mask popular = {mask.low & page->popular.low, mask.high & page->popular.high};
        if (!(popular.low | popular.high) || in->numbers[i] == page->number) continue;
        found->matches[found->count++] = (Match){
            in->numbers[i],
            popular,
            __builtin_popcountll(mask.low) + __builtin_popcountll(mask.high),
            flags_of(page->server, in->servers[i]),
        };
    }
    if (!found->count) return 1;
    found->count = keep_best(found->matches, found->count);
    return found->count > 0;
}

#endif
