/* The patch grams of quilts, found in pages and compared word by word, as in
   quilts/checks/patches.py. */

#ifndef PATCHES_H
#define PATCHES_H
#include "gram_hash.h"
#include "scan.h"

/* A wanted gram. All that a hit needs is in one line of the cache. */
typedef struct {
    uint64_t key, start; /* `start` and `size` are those of the words that are kept */
    uint32_t size;       /* 0: no words are kept */
    uint32_t page;       /* the last page that has it */
    uint16_t check;
    uint16_t clashes;    /* whether it has other words on that page */
} Patch;

typedef struct {
    uint32_t k;
    size_t count;
    Patch *grams;
    uint32_t *slots; /* of a table of the grams: their numbers from 1 on */
    int shift;       /* of a key, to get its slot */
    uint64_t *filter; /* a bit for the last bits of each key */
    uint64_t filter_mask;
    uint8_t *text; /* the words that are kept */
    size_t text_size, text_room;
    uint32_t page; /* number of the latest page */
} Patches;

/* A wanted gram of a page, and the row of its first word. */
typedef struct {
    uint32_t place, row;
} Hit;

typedef struct {
    Hit *hits;
    size_t count, room;
    uint32_t *clashes; /* the places of grams with other words */
    size_t clash_count, clash_room;
    uint32_t *rows; /* that pass the filter */
} Found;

/* The words of a page: each is followed by a line feed. */
typedef struct {
    const uint64_t *lanes;
    const uint8_t *text; /* NULL: the words are not compared */
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

/* Index the wanted grams by the first bits of their keys. Return 0 if there is no memory,
   or if one comes twice. */
static int index_patches(Patches *p)
{
    enum { FILTERED = 4 }; /* further bits, so that one of sixteen others passes */
    int bits = 1;
    while ((size_t)1 << bits < 2 * p->count) bits++;
    size_t slots = (size_t)1 << bits, mask = slots - 1;
    int filter_bits = bits + FILTERED - 1 < 6 ? 6 : bits + FILTERED - 1;
    p->shift = 64 - bits;
    p->slots = calloc(slots, sizeof *p->slots);
    p->filter = calloc((size_t)1 << (filter_bits - 6), sizeof *p->filter);
    if (!p->slots || !p->filter) return 0;
    p->filter_mask = ((uint64_t)1 << filter_bits) - 1;
    for (size_t i = 0; i < p->count; i++) {
        const Patch *gram = p->grams + i;
        size_t slot = gram->key >> p->shift;
        for (; p->slots[slot]; slot = (slot + 1) & mask) {
            const Patch *other = p->grams + p->slots[slot] - 1;
            if (other->key == gram->key && other->check == gram->check) return 0;
        }
        p->slots[slot] = i + 1;
        uint64_t bit = gram->key & p->filter_mask;
        p->filter[bit >> 6] |= (uint64_t)1 << (bit & 63);
    }
    return 1;
}

static inline int passes_filter(const Patches *p, uint64_t key)
{
    uint64_t bit = key & p->filter_mask;
    return p->filter[bit >> 6] >> (bit & 63) & 1;
}

/* Return a wanted gram; NULL if it is none of them. */
static inline Patch *find_gram(const Patches *p, GramHash gram)
{
    size_t mask = ~(size_t)0 >> p->shift, slot = gram.key >> p->shift;
    for (; p->slots[slot]; slot = (slot + 1) & mask) {
        Patch *found = p->grams + p->slots[slot] - 1;
        if (found->key == gram.key && found->check == gram.check) return found;
    }
    return NULL;
}

/* Keep the words of a gram. Overlapping grams share their text; `copied` is the end in the
   page of the text that was copied. Return 0 if there is no memory. */
static int keep_words(Patches *p, const Page *page, Patch *gram, size_t row, size_t *copied)
{
    size_t start = page->starts[row], stop = page->starts[row + p->k];
    size_t from = start > *copied ? start : *copied;
    if (stop - start > UINT32_MAX
        || !grow_to((void **)&p->text, &p->text_room, p->text_size + (stop - from), 1))
        return 0;
    memcpy(p->text + p->text_size, page->text + from, stop - from);
    p->text_size += stop - from;
    gram->start = p->text_size - (stop - start);
    gram->size = stop - start;
    *copied = stop;
    return 1;
}

static int has_other_words(const Patches *p, const Page *page, const Patch *gram, size_t row)
{
    const size_t *at = page->starts + row;
    return gram->size != at[p->k] - at[0]
           || memcmp(p->text + gram->start, page->text + at[0], gram->size);
}

/* Take a wanted gram at a row of the page. Return 0 if there is no memory. */
static inline int take_gram(Patches *p, const Page *page, Patch *gram, size_t row,
                            size_t *copied, Found *found)
{
    if (gram->page != p->page) {
        if (!grow_to((void **)&found->hits, &found->room, found->count + 1, sizeof(Hit)))
            return 0;
        found->hits[found->count++] = (Hit){gram - p->grams, row};
        gram->page = p->page;
        gram->clashes = 0;
    }
    if (!page->text) return 1;
    if (!gram->size) return keep_words(p, page, gram, row, copied);
    if (gram->clashes || !has_other_words(p, page, gram, row)) return 1;
    gram->clashes = 1;
    if (!grow_to((void **)&found->clashes, &found->clash_room, found->clash_count + 1,
                 sizeof *found->clashes))
        return 0;
    found->clashes[found->clash_count++] = gram - p->grams;
    return 1;
}

/* Find the wanted grams of a page, keep the words of those that have none yet, and compare
   those of the others. Return 0 if there is no memory. */
static int find_patches(Patches *p, const Page *page, Found *found)
{
    enum { SLOTS = 24, GRAMS = 12 }; /* how far ahead memory is fetched */
    const GramHash *grams = page->grams;
    size_t count = 0, copied = 0, mask = ~(size_t)0 >> p->shift;
    uint32_t *rows = found->rows = malloc((page->gram_count + 1) * sizeof *rows);
    if (!rows) return 0;
    for (size_t row = 0; row < page->gram_count; row++) {
        rows[count] = row;
        count += passes_filter(p, grams[row].key);
    }
    for (size_t i = 0; i < count; i++) {
        if (i + SLOTS < count)
            __builtin_prefetch(p->slots + (grams[rows[i + SLOTS]].key >> p->shift));
        if (i + GRAMS < count) {
            size_t slot = grams[rows[i + GRAMS]].key >> p->shift & mask;
            __builtin_prefetch(p->grams + p->slots[slot] - (p->slots[slot] > 0));
        }
        Patch *gram = find_gram(p, grams[rows[i]]);
        if (gram && !take_gram(p, page, gram, rows[i], &copied, found)) return 0;
    }
    return 1;
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

static void free_patches(Patches *p)
{
    free(p->grams);
    free(p->slots);
    free(p->filter);
    free(p->text);
}

#endif
