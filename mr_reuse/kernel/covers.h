/* Greedy covers, as in algorithms/covers.py. */

#ifndef COVERS_H
#define COVERS_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Classes of grams: how many grams each has, and which documents have them. */
typedef struct {
    const uint64_t *counts;
    const uint32_t *sizes;
    const uint64_t *documents;
    const uint8_t *admitted; /* of each document in a list, whether it may be a source */
    size_t classes, entries;
} Classes;

typedef struct {
    uint64_t document, gain, total;
} Candidate;

typedef struct {
    Candidate *candidates;
    size_t count;
    uint32_t *numbers; /* of each entry its candidate, from 1 on; 0 for none */
    uint32_t *ends;    /* of each candidate, in `held` */
    uint32_t *held;    /* the classes of one candidate after another */
    uint32_t *heap;    /* of candidates; its gains may be too large */
    uint64_t *gains;   /* of each candidate now */
    uint8_t *covered;  /* of each class */
    Candidate *cover;
    size_t taken;
} Cover;

static void free_cover(Cover *c)
{
    free(c->candidates), free(c->numbers), free(c->ends), free(c->held);
    free(c->heap), free(c->gains), free(c->covered), free(c->cover);
}

static inline size_t slot_of(uint64_t document, size_t size)
{
    return (document * 0x9E3779B97F4A7C15ull >> 32) & (size - 1);
}

/* Double the table of documents and the room for candidates; there are many entries for each
   document. Return 0 if there is no memory. */
static int grow_table(Cover *c, uint32_t **slots, size_t *size)
{
    size_t more = *size ? 2 * *size : 64;
    uint32_t *grown = calloc(more, sizeof *grown);
    void *room = realloc(c->candidates, (more / 2 + 1) * sizeof *c->candidates);
    if (room) c->candidates = room;
    if (!grown || !room) {
        free(grown);
        return 0;
    }
    for (size_t n = 0; n < c->count; n++) {
        size_t slot = slot_of(c->candidates[n].document, more);
        while (grown[slot]) slot = (slot + 1) & (more - 1);
        grown[slot] = n + 1;
    }
    free(*slots);
    *slots = grown;
    *size = more;
    return 1;
}

/* Number the documents in the order in which they come, and add up their grams. */
static int number_documents(Cover *c, const Classes *in)
{
    size_t size = 0, at = 0;
    uint32_t *slots = NULL;
    c->numbers = calloc(in->entries + 1, sizeof *c->numbers);
    int is_done = c->numbers && grow_table(c, &slots, &size);
    for (size_t i = 0; is_done && i < in->classes; i++)
        for (size_t end = at + in->sizes[i]; is_done && at < end; at++) {
            if (!in->admitted[at]) continue;
            uint64_t document = in->documents[at];
            size_t slot = slot_of(document, size);
            while (slots[slot] && c->candidates[slots[slot] - 1].document != document)
                slot = (slot + 1) & (size - 1);
            uint32_t number = slots[slot];
            if (!number) {
                c->candidates[c->count++] = (Candidate){document, 0, 0};
                slots[slot] = number = c->count;
                if (2 * c->count >= size) is_done = grow_table(c, &slots, &size);
            }
            c->candidates[number - 1].total += in->counts[i];
            c->numbers[at] = number;
        }
    free(slots);
    return is_done;
}

/* List the classes of each candidate. */
static int list_classes(Cover *c, const Classes *in)
{
    c->ends = calloc(c->count + 1, sizeof *c->ends);
    c->held = malloc((in->entries + 1) * sizeof *c->held);
    if (!c->ends || !c->held) return 0;
    for (size_t at = 0; at < in->entries; at++) c->ends[c->numbers[at]]++;
    uint32_t sum = 0;
    c->ends[0] = 0;
    for (size_t n = 1; n <= c->count; n++) { /* for now: where the classes of n begin */
        uint32_t size = c->ends[n];
        c->ends[n] = sum;
        sum += size;
    }
    size_t at = 0;
    for (size_t i = 0; i < in->classes; i++)
        for (size_t end = at + in->sizes[i]; at < end; at++)
            if (c->numbers[at]) c->held[c->ends[c->numbers[at]]++] = i;
    return 1;
}

static int is_better(const Candidate *a, const Candidate *b)
{
    if (a->gain != b->gain) return a->gain > b->gain;
    return a->total != b->total ? a->total > b->total : a->document < b->document;
}

static void sift_down(Cover *c, size_t at, size_t size)
{
    uint32_t moved = c->heap[at];
    for (size_t child; (child = 2 * at + 1) < size; at = child) {
        const Candidate *all = c->candidates;
        if (child + 1 < size && is_better(all + c->heap[child + 1], all + c->heap[child]))
            child++;
        if (!is_better(all + c->heap[child], all + moved)) break;
        c->heap[at] = c->heap[child];
    }
    c->heap[at] = moved;
}

/* Cover the classes of a candidate: the gains of others fall. */
static void take_candidate(Cover *c, const Classes *in, const size_t *starts, uint32_t taken)
{
    for (uint32_t h = c->ends[taken]; h < c->ends[taken + 1]; h++) {
        uint32_t class = c->held[h];
        if (c->covered[class]) continue;
        c->covered[class] = 1;
        for (size_t at = starts[class]; at < starts[class + 1]; at++)
            if (c->numbers[at]) c->gains[c->numbers[at] - 1] -= in->counts[class];
    }
}

/* Find the cover; return 0 if there is no memory. */
static int find_cover(Cover *c, const Classes *in, uint64_t least)
{
    if (!number_documents(c, in) || !list_classes(c, in)) return 0;
    size_t *starts = malloc((in->classes + 1) * sizeof *starts), size = c->count;
    c->heap = malloc((size + 1) * sizeof *c->heap);
    c->gains = malloc((size + 1) * sizeof *c->gains);
    c->covered = calloc(in->classes + 1, 1);
    c->cover = malloc((size + 1) * sizeof *c->cover);
    if (!starts || !c->heap || !c->gains || !c->covered || !c->cover) {
        free(starts);
        return 0;
    }
    starts[0] = 0;
    for (size_t i = 0; i < in->classes; i++) starts[i + 1] = starts[i] + in->sizes[i];
    for (size_t n = 0; n < size; n++) {
        c->heap[n] = n;
        c->gains[n] = c->candidates[n].gain = c->candidates[n].total;
    }
    for (size_t n = size / 2; n-- > 0;) sift_down(c, n, size);
    while (size && c->candidates[c->heap[0]].gain >= least) {
        uint32_t best = c->heap[0];
        Candidate *candidate = c->candidates + best;
        if (candidate->gain == c->gains[best]) {
            c->cover[c->taken++] = *candidate;
            take_candidate(c, in, starts, best);
            c->heap[0] = c->heap[--size];
        } else {
            candidate->gain = c->gains[best];
        }
        if (size) sift_down(c, 0, size);
    }
    free(starts);
    return 1;
}

#endif
