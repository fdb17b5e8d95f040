/* The patch grams of quilts, found in pages and compared word by word, as in
   quilts/checks/patches.py. */

#ifndef PATCHES_H
#define PATCHES_H
#include "gram_hash.h"
#include "scan.h"

enum { SAME, OTHER, MIXED }; /* how the words of a gram compare with those that are kept */

/* A wanted gram. All that a hit needs is in one line of the cache. */
typedef struct {
    uint64_t key, start; /* `start` and `size` are those of the words that are kept */
    uint32_t size;       /* 0: no words are kept */
    uint32_t hit;        /* the number of its hit in the page, from 1 on */
    uint16_t check;
} Patch;

typedef struct {
    uint32_t k;
    size_t count;
    Patch *grams;     /* sorted by key, then check */
    uint32_t *starts; /* of each beginning of a key, the first gram with it */
    int shift;        /* of a key, to get its beginning */
    uint8_t *text;    /* the words that are kept */
    size_t text_size, text_room;
} Patches;

/* A wanted gram of a page, and the row of its first word. */
typedef struct {
    uint32_t place, row, state;
} Hit;

typedef struct {
    Hit *hits;
    size_t count, room;
} Hits;

/* The words of a page: each is followed by a line feed. */
typedef struct {
    const uint64_t *lanes;
    const uint8_t *text;
    size_t *starts; /* of words, and of their end */
    size_t count;
    GramHash *grams; /* one that begins with each word, if enough words follow */
    size_t gram_count;
} Page;

/* Find where the words begin; return 0 if there are others than expected, or no memory. */
static int split_words(Page *page, size_t size)
{
    size_t found = 0;
    page->starts = malloc((page->count + 1) * sizeof *page->starts);
    if (!page->starts) return 0;
    page->starts[0] = 0;
    for (size_t at = 0; at < size; at += SCANNED) {
        uint8_t last[SCANNED] = {0};
        const uint8_t *bytes = page->text + at;
        if (size - at < SCANNED) bytes = memcpy(last, bytes, size - at);
        for (uint32_t ends = equal_to(load_sixteen(bytes), '\n'); ends; ends &= ends - 1) {
            if (found == page->count) return 0;
            page->starts[++found] = at + __builtin_ctz(ends) + 1;
        }
    }
    return found == page->count && page->starts[found] == size;
}

/* Hash all grams of a page. Return 0 if there is no memory. */
static int hash_page(Page *page, size_t k)
{
    size_t count = page->gram_count = page->count < k ? 0 : page->count - k + 1;
    page->grams = malloc((count + 1) * sizeof *page->grams);
    if (!page->grams) return 0;
    if (!count) return 1;
    Roller roller = start_grams(page->lanes, k);
    page->grams[0] = gram_hash(&roller);
    for (size_t row = 1; row < count; row++) {
        next_gram(&roller, row - 1);
        page->grams[row] = gram_hash(&roller);
    }
    return 1;
}

static inline int have_same_words(const Page *page, size_t row, size_t other, size_t k)
{
    const size_t *starts = page->starts;
    size_t size = starts[row + k] - starts[row];
    return size == starts[other + k] - starts[other]
           && !memcmp(page->text + starts[row], page->text + starts[other], size);
}

/* Index the wanted grams by the first bits of their keys. Return 0 if there is no memory. */
static int index_patches(Patches *p)
{
    int bits = 1;
    while (bits < 28 && (size_t)1 << bits < p->count) bits++;
    p->shift = 64 - bits;
    size_t beginnings = (size_t)1 << bits, at = 0;
    p->starts = malloc((beginnings + 1) * sizeof *p->starts);
    if (!p->starts) return 0;
    for (size_t beginning = 0; beginning < beginnings; beginning++) {
        while (at < p->count && p->grams[at].key >> p->shift < beginning) at++;
        p->starts[beginning] = at;
    }
    p->starts[beginnings] = p->count;
    return 1;
}

/* Return the place of a gram; the number of wanted grams if it is none of them. */
static inline size_t place_of(const Patches *p, GramHash gram)
{
    size_t from = p->starts[gram.key >> p->shift], end = p->starts[(gram.key >> p->shift) + 1];
    size_t stop = end;
    while (from < end) { /* nearly always a single gram */
        size_t middle = from + (end - from) / 2;
        const Patch *other = p->grams + middle;
        if (other->key < gram.key
            || (other->key == gram.key && other->check < gram.check))
            from = middle + 1;
        else
            end = middle;
    }
    int is_it = from < stop && p->grams[from].key == gram.key
                && p->grams[from].check == gram.check;
    return is_it ? from : p->count;
}

static int compare_kept(const Patches *p, const Page *page, const Hit *hit)
{
    const Patch *kept = p->grams + hit->place;
    const size_t *at = page->starts + hit->row;
    if (kept->size != at[p->k] - at[0]) return OTHER;
    return memcmp(p->text + kept->start, page->text + at[0], kept->size) ? OTHER : SAME;
}

/* Prefetch what the search for later grams reads. */
static inline void expect_gram(const Patches *p, const Page *page, size_t row)
{
    enum { STARTS = 24, GRAMS = 12 };
    if (row + STARTS >= page->gram_count) return;
    const GramHash *grams = page->grams + row;
    __builtin_prefetch(p->starts + (grams[STARTS].key >> p->shift));
    __builtin_prefetch(p->grams + p->starts[grams[GRAMS].key >> p->shift]);
}

/* Find the wanted grams of a page; return 0 if there is no memory. */
static int find_patches(Patches *p, const Page *page, Hits *found)
{
    for (size_t row = 0; row < page->gram_count; row++) {
        expect_gram(p, page, row);
        size_t place = place_of(p, page->grams[row]);
        if (place == p->count) continue;
        uint32_t number = p->grams[place].hit;
        if (!number) {
            if (!grow_to((void **)&found->hits, &found->room, found->count + 1,
                         sizeof(Hit)))
                return 0;
            found->hits[found->count++] = (Hit){place, row, OTHER};
            p->grams[place].hit = found->count;
        } else if (!have_same_words(page, row, found->hits[number - 1].row, p->k)) {
            found->hits[number - 1].state = MIXED;
        }
    }
    return 1;
}

/* Keep the words of the grams that have none yet. Overlapping grams share their text.
   Return 0 if there is no memory. */
static int keep_words(Patches *p, const Page *page, const Hits *found)
{
    size_t copied = 0; /* end in the page of the text that was copied */
    for (size_t i = 0; i < found->count; i++) {
        const Hit *hit = found->hits + i;
        Patch *kept = p->grams + hit->place;
        if (kept->size) continue;
        size_t start = page->starts[hit->row], stop = page->starts[hit->row + p->k];
        size_t from = start > copied ? start : copied;
        if (stop - start > UINT32_MAX
            || !grow_to((void **)&p->text, &p->text_room, p->text_size + (stop - from),
                        1))
            return 0;
        memcpy(p->text + p->text_size, page->text + from, stop - from);
        p->text_size += stop - from;
        kept->start = p->text_size - (stop - start);
        kept->size = stop - start;
        copied = stop;
    }
    return 1;
}

/* Compare the grams that were found with the words that are kept, and forget the hits. */
static void finish_patches(Patches *p, const Page *page, const Hits *found)
{
    for (size_t i = 0; i < found->count; i++) {
        Hit *hit = found->hits + i;
        p->grams[hit->place].hit = 0;
        if (hit->state != MIXED) hit->state = compare_kept(p, page, hit);
    }
}

/* Count the distinct grams of a page. Return -1 if equal ones have different words, and -2
   if there is no memory. */
static long long count_grams(const Page *page, size_t k)
{
    size_t count = page->gram_count, size = 64;
    while (size < 2 * count) size *= 2;
    uint32_t *slots = calloc(size, sizeof *slots);
    const GramHash *grams = page->grams;
    long long distinct = slots ? 0 : -2;
    for (size_t row = 0; distinct >= 0 && row < count; row++) {
        size_t slot = grams[row].key & (size - 1);
        while (slots[slot] && (grams[slots[slot] - 1].key != grams[row].key
                               || grams[slots[slot] - 1].check != grams[row].check))
            slot = (slot + 1) & (size - 1);
        if (!slots[slot]) {
            slots[slot] = row + 1;
            distinct++;
        } else if (!have_same_words(page, row, slots[slot] - 1, k)) {
            distinct = -1;
        }
    }
    free(slots);
    return distinct;
}

enum { LACKS = -2 }; /* a variant */

/* Compare the patch grams of a quilt with those of a source. `variants` are those of all
   wanted grams in the source. `first` gets the position of the source where it has had a
   higher one. Return how many grams they share; -1 if words differ. */
static long long share_patches(const uint32_t *places, const int32_t *own, size_t count,
                               const int32_t *variants, int32_t *first, int32_t position)
{
    long long shared = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t variant = variants[places[i]];
        if (variant == LACKS) continue;
        if (variant != own[i]) return -1;
        shared++;
        if (first[i] > position) first[i] = position;
    }
    return shared;
}

static void free_patches(Patches *p)
{
    free(p->grams);
    free(p->starts);
    free(p->text);
}

#endif
