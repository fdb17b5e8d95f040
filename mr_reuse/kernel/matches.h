/* Documents that have shingles of pages: those that a cover of a page may take. */

#ifndef MATCHES_H
#define MATCHES_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "room.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    POSITIONS = 84,
    CODES = 88, /* of a row: 84, and zeros up to a multiple of 16 bytes */
    LOW = 64,   /* positions in the first of two masks */
    GROUP = 64, /* pages at a time: a bit for each */
    LEADING = 16, /* the first matches, with which all others are compared */
    ALL_CODES = 1 << 16,
};
enum { HOME = 1, FOREIGN = 2 }; /* flags */

typedef struct {
    uint64_t low, high; /* a bit for each position */
} Mask;

typedef struct {
    uint64_t name, address;
} Server;

typedef struct {
    uint64_t page, document;
    Mask mask; /* of the common shingles that are popular */
    uint64_t common, flags;
} Match;

/* Documents with ascending numbers. They have codes, small numbers instead of shingles: a
   row for each, and the same codes again in columns. */
typedef struct {
    const uint16_t *rows, *columns;
    const Server *servers;
    const uint64_t *numbers;
    size_t count;
} Documents;

typedef struct {
    Mask popular;
    Server server;
    uint64_t number;
} CoveredPage;

/* The pages to cover, at most GROUP; of the codes of a page, none of the 84 is 0. */
typedef struct {
    const uint16_t *codes;
    const CoveredPage *pages;
    size_t count;
} CoveredPages;

typedef struct {
    Match *matches; /* of all pages, one page after another */
    size_t count, room;
} Found;

/* Memory for the documents of a page. */
typedef struct {
    uint64_t *with_code; /* the pages with a popular shingle at a position */
    uint64_t *touched;   /* of each document: the pages with which it shares a popular one */
    Match *matches, *sorted;
    size_t *slots;
} Scratch;

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

/* Set the pages with which each document has popular shingles in common. */
static void touch_pages(Scratch *scratch, const Documents *in, const CoveredPages *pages)
{
    uint64_t *with_code = scratch->with_code;
    memset(scratch->touched, 0, in->count * sizeof *scratch->touched);
    for (int position = 0; position < POSITIONS; position++) {
        const uint16_t *column = in->columns + position * in->count;
        for (size_t n = 0; n < pages->count; n++) {
            Mask popular = pages->pages[n].popular;
            int is_popular = position < LOW ? popular.low >> position & 1
                                            : popular.high >> (position - LOW) & 1;
            with_code[pages->codes[CODES * n + position]] |= (uint64_t)is_popular << n;
        }
        for (size_t i = 0; i < in->count; i++) scratch->touched[i] |= with_code[column[i]];
        for (size_t n = 0; n < pages->count; n++)
            with_code[pages->codes[CODES * n + position]] = 0;
    }
}

/* Set the matches of a page: those with most shingles in common first. Return their
   number. */
static size_t find_matches(Scratch *scratch, const Documents *in, const CoveredPages *pages,
                           size_t n)
{
    const CoveredPage *page = pages->pages + n;
    size_t starts[POSITIONS + 2] = {0}, count = 0; /* by the number of other shingles */
    for (size_t i = 0; i < in->count; i++) {
        if (!(scratch->touched[i] >> n & 1) || in->numbers[i] == page->number) continue;
        Mask mask = compare_codes(pages->codes + CODES * n, in->rows + CODES * i);
        int common = __builtin_popcountll(mask.low) + __builtin_popcountll(mask.high);
        scratch->matches[count++] = (Match){
            page->number, in->numbers[i],
            {mask.low & page->popular.low, mask.high & page->popular.high},
            common, flags_of(page->server, in->servers[i]),
        };
        starts[POSITIONS - common + 1]++;
    }
    for (int i = 1; i <= POSITIONS; i++) starts[i] += starts[i - 1];
    for (size_t i = 0; i < count; i++)
        scratch->sorted[starts[POSITIONS - scratch->matches[i].common]++] =
            scratch->matches[i];
    return count;
}

/* Return whether a cover that may take one match never takes another, less good one. */
static int covers(const Match *one, const Match *other)
{
    return !((other->mask.low & ~one->mask.low) | (other->mask.high & ~one->mask.high)
             | (one->flags & ~other->flags & HOME));
}

/* Keep the sorted matches that none of the leading ones covers. Return their number. */
static size_t drop_covered(Match *matches, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t leading = kept < LEADING ? kept : LEADING, at = 0;
        while (at < leading && !covers(matches + at, matches + i)) at++;
        if (at == leading) matches[kept++] = matches[i];
    }
    return kept;
}

/* Return the place of a match with the positions of another one, and both at home or
   both not; or a free place. */
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

/* Keep the first one of the matches with the same positions. Return their number. */
static size_t keep_first(size_t *slots, Match *rows, size_t count)
{
    size_t room = 2, kept = 0;
    while (room < 2 * count) room *= 2;
    memset(slots, 0, room * sizeof *slots);
    for (size_t i = 0; i < count; i++) {
        size_t *slot = slot_of_match(slots, room - 1, rows, rows + i);
        if (*slot) continue;
        rows[kept] = rows[i];
        *slot = ++kept;
    }
    return kept;
}

static int begin_scratch(Scratch *scratch, size_t count)
{
    size_t room = 2;
    while (room < 2 * count) room *= 2;
    scratch->with_code = calloc(ALL_CODES, sizeof *scratch->with_code);
    scratch->touched = malloc((count + 1) * sizeof *scratch->touched);
    scratch->matches = malloc((count + 1) * sizeof *scratch->matches);
    scratch->sorted = malloc((count + 1) * sizeof *scratch->sorted);
    scratch->slots = malloc(room * sizeof *scratch->slots);
    return scratch->with_code && scratch->touched && scratch->matches && scratch->sorted
        && scratch->slots;
}

static void end_scratch(Scratch *scratch)
{
    free(scratch->with_code);
    free(scratch->touched);
    free(scratch->matches);
    free(scratch->sorted);
    free(scratch->slots);
}

/* Find the documents that covers of pages may take. Return 0 if memory is short. */
static int match_all(Found *found, const Documents *in, const CoveredPages *pages)
{
    Scratch scratch = {0};
    int is_done = begin_scratch(&scratch, in->count);
    if (is_done) touch_pages(&scratch, in, pages);
    for (size_t n = 0; is_done && n < pages->count; n++) {
        size_t count = find_matches(&scratch, in, pages, n);
        count = drop_covered(scratch.sorted, count);
        count = keep_first(scratch.slots, scratch.sorted, count);
        is_done = make_room((void **)&found->matches, &found->room, found->count + count,
                            sizeof *found->matches);
        if (!is_done) break;
        memcpy(found->matches + found->count, scratch.sorted, count * sizeof(Match));
        found->count += count;
    }
    end_scratch(&scratch);
    return is_done;
}

#endif
