/* The floor of quilts: what the machine needs to find quilted pages.

   quilt_floor TABLES OUT ARCHIVE...

   Reads the words of HTML pages (without scripts) in the states of the kernel's tokenizer.
   Hashes their sequences of five words to 80 bits, and divides them among partitions. Sorts
   each partition, and lists the documents of each gram that 2 to 50 have. Merges equal lists
   to classes, finds the pages with a patch fraction of at least one half, and their greedy
   covers. A page with a cover of four documents or more is a quilt. All is in memory, and no
   words are compared.

   TABLES is made by phrase_tables.py. OUT gets the counts, as `stats.json` of quilts has
   them. All pages are documents of their own, as with `--captures all`. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <libdeflate.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    THREADS = 2, K = 5, M = 50, C = 4, PART_BITS = 10, PARTS = 1 << PART_BITS,
    LIST_BITS = 6, LIST_PARTS = 1 << LIST_BITS, /* of lists, by their hashes */
    CHUNK = 1023, ARENA = 64 << 20, ORDINAL_BITS = 32,
};

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "quilt_floor: %s: %s\n", name, what);
    exit(1);
}

#include "page_words.h"
#include "../mr_reuse/kernel/covers.h"
#define slot_of slot_of_gram
#include "../mr_reuse/kernel/gram_table.h"
#include "../mr_reuse/kernel/grams.h"

/* -- documents ------------------------------------------------------------ */

typedef struct Chunk {
    Gram grams[CHUNK];
    struct Chunk *next;
} Chunk;

/* The grams of a partition, and where the next one is written. */
typedef struct {
    Gram *at, *end;
    Chunk *chunk;
} Part;

typedef struct {
    uint32_t *grams; /* of each document, how many it has */
    size_t count, room;
    uint64_t base; /* number of its first document */
} Archive;

/* Lists with the same first bits of their hashes: counts, sizes and documents of each. */
typedef struct {
    Gram *heads; /* hash, and where the list begins */
    uint32_t *numbers;
    size_t count, room, size, number_room;
} ListPart;

typedef struct {
    Markup markup;
    Names names;
    GramBlock block;
    Archive *archive; /* that is read */
    Part parts[PARTS];
    ListPart lists[LIST_PARTS];
    uint8_t *arena, *arena_end;
    uint64_t pages, words, wordless, bytes, undecided, grams, with_grams;
    uint64_t distinct, shared, classes, candidates, quilts, sources;
    uint8_t *buffer;
    size_t capacity;
    struct libdeflate_decompressor *inflater;
} Worker;

#include "whole_bodies.h"

static atomic_int next_part, next_candidate;

static void *allocate(size_t bytes)
{
    void *at = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0);
    if (at == MAP_FAILED) fail("no memory", "table");
    madvise(at, bytes + 1, MADV_HUGEPAGE);
    return at;
}

static void add_chunk(Worker *worker, Part *part)
{
    if (worker->arena_end - worker->arena < (ptrdiff_t)sizeof(Chunk)) {
        worker->arena = allocate(ARENA);
        worker->arena_end = worker->arena + ARENA;
    }
    Chunk *chunk = (Chunk *)worker->arena;
    worker->arena += sizeof *chunk;
    chunk->next = part->chunk;
    *part = (Part){chunk->grams, chunk->grams + CHUNK, chunk};
}

/* Divide the grams of a document among the partitions. */
static void divide_grams(Worker *worker, uint64_t document)
{
    GramBlock *b = &worker->block;
    for (size_t i = 0; i < b->count; i++) {
        Part *part = worker->parts + (b->grams[i].key >> (64 - PART_BITS));
        if (part->at == part->end) add_chunk(worker, part);
        *part->at++ = (Gram){b->grams[i].key, b->grams[i].tail | document};
    }
    b->count = 0;
}

static void add_page(Worker *worker, const uint8_t *body, size_t length)
{
    Archive *archive = worker->archive;
    WordOut *out = &worker->markup.out;
    const char *type = certain_type(body, length);
    if (!length) return;
    worker->pages++;
    worker->bytes += length;
    worker->undecided += !*type;
    if (!is_html(type)) return;
    read_words(&worker->markup, body, length);
    worker->words += out->count;
    worker->wordless += !out->count;
    if (!add_document(&worker->block, out->hashes, out->count, 0)
        || !grow_to((void **)&archive->grams, &archive->room, archive->count + 1,
                    sizeof *archive->grams))
        fail("no memory", "grams");
    worker->grams += worker->block.count;
    worker->with_grams += worker->block.count > 0;
    archive->grams[archive->count] = worker->block.count;
    divide_grams(worker, (uint64_t)(archive - found) << ORDINAL_BITS | archive->count++);
}

static void *read_archives(void *argument)
{
    Worker *worker = argument;
    int i;
    worker->inflater = libdeflate_alloc_decompressor();
    worker->capacity = 4 << 20;
    worker->buffer = malloc(worker->capacity);
    worker->block.k = K;
    start_reader(&worker->markup, &worker->names, 0);
    while ((i = atomic_fetch_add(&next_archive, 1)) < archive_count) {
        worker->archive = &found[i];
        add_archive(worker, archives[i]);
    }
    return NULL;
}

/* -- lists of documents ---------------------------------------------------- */

static uint32_t *grams_of, *patches; /* of each document */
static size_t total;

/* Take the grams of a partition of all threads, with the numbers of their documents. */
static void gather_part(GramTable *t, int number)
{
    t->count = 0;
    for (int w = 0; w < THREADS; w++) {
        Part *part = workers[w].parts + number;
        for (Chunk *c = part->chunk; c; c = c->next) {
            size_t count = c == part->chunk ? part->at - c->grams : CHUNK;
            if (!reserve_entries(t, t->count + count)) fail("no memory", "partition");
            for (size_t i = 0; i < count; i++) {
                uint64_t archive = document_of(c->grams + i) >> ORDINAL_BITS;
                uint64_t more = found[archive].base - (archive << ORDINAL_BITS);
                t->entries[t->count++] = (Gram){c->grams[i].key, c->grams[i].tail + more};
            }
        }
    }
}

/* Keep the lists of a partition, by their hashes; add up the patch grams of documents. */
static void keep_lists(Worker *worker, const MergedLists *l)
{
    const uint64_t *documents = l->documents;
    for (size_t i = 0; i < l->lists; documents += l->sizes[i++]) {
        uint64_t hash = 0;
        for (uint32_t n = 0; n < l->sizes[i]; n++) hash += mix_bits(documents[n] + 1);
        hash = mix_bits(hash);
        ListPart *part = worker->lists + (hash >> (64 - LIST_BITS));
        if (!grow_to((void **)&part->heads, &part->room, part->count + 1, sizeof(Gram))
            || !grow_to((void **)&part->numbers, &part->number_room,
                        part->size + 2 + l->sizes[i], sizeof *part->numbers))
            fail("no memory", "lists");
        part->heads[part->count++] = (Gram){hash, part->size};
        part->numbers[part->size++] = l->counts[i];
        part->numbers[part->size++] = l->sizes[i];
        for (uint32_t n = 0; n < l->sizes[i]; n++) {
            part->numbers[part->size++] = documents[n];
            __atomic_fetch_add(&patches[documents[n]], l->counts[i], __ATOMIC_RELAXED);
        }
    }
}

static void *list_documents(void *argument)
{
    Worker *worker = argument;
    GramTable table = {.limit = M, .bits = PART_BITS};
    int part;
    while ((part = atomic_fetch_add(&next_part, 1)) < PARTS) {
        MergedLists lists = {0};
        gather_part(&table, part);
        worker->distinct += compact_table(&table);
        if (!make_lists(&table, &lists)) fail("no memory", "lists");
        worker->shared += lists.grams;
        keep_lists(worker, &lists);
        free_lists(&lists);
    }
    free_entries(&table);
    return NULL;
}

/* -- classes and covers ---------------------------------------------------- */

static uint32_t **classes[LIST_PARTS]; /* count, size and documents of each */
static size_t class_counts[LIST_PARTS];
static uint32_t ***of_candidate; /* of each document its classes; NULL for no candidate */
static uint32_t *class_count_of, *chosen;
static size_t chosen_count;

static int is_candidate(uint32_t document)
{
    return patches[document] && 2 * (uint64_t)patches[document] >= grams_of[document];
}

/* Merge the equal lists of a part of all threads; count the classes of candidates. */
static void merge_part(Worker *worker, int part)
{
    size_t count = 0, size = 0, at = 0;
    for (int w = 0; w < THREADS; w++)
        count += workers[w].lists[part].count, size += workers[w].lists[part].size;
    Gram *heads = malloc((2 * count + 1) * sizeof *heads);
    uint32_t *numbers = malloc((size + 1) * sizeof *numbers), *last = NULL;
    classes[part] = malloc((count + 1) * sizeof *classes[part]);
    if (!heads || !numbers || !classes[part]) fail("no memory", "classes");
    size = 0;
    for (int w = 0; w < THREADS; w++) {
        ListPart *from = &workers[w].lists[part];
        memcpy(numbers + size, from->numbers, from->size * sizeof *numbers);
        for (size_t i = 0; i < from->count; i++)
            heads[at++] = (Gram){from->heads[i].key, from->heads[i].tail + size};
        size += from->size;
        free(from->heads), free(from->numbers);
    }
    const Gram *sorted = order_grams(heads, heads + count, count, LIST_BITS);
    for (size_t i = 0; i < count; i++) {
        uint32_t *list = numbers + sorted[i].tail;
        if (i && sorted[i].key == sorted[i - 1].key && last[1] == list[1]
            && !memcmp(last + 2, list + 2, list[1] * sizeof *list)) {
            last[0] += list[0];
            continue;
        }
        last = classes[part][class_counts[part]++] = list;
        for (uint32_t n = 0; n < list[1]; n++)
            if (is_candidate(list[2 + n]))
                __atomic_fetch_add(&class_count_of[list[2 + n]], 1, __ATOMIC_RELAXED);
    }
    worker->classes += class_counts[part];
    free(heads);
}

static void *merge_lists(void *argument)
{
    int part;
    while ((part = atomic_fetch_add(&next_part, 1)) < LIST_PARTS) merge_part(argument, part);
    return NULL;
}

/* Give each candidate its classes. */
static void *divide_classes(void *argument)
{
    int part;
    (void)argument;
    while ((part = atomic_fetch_add(&next_part, 1)) < LIST_PARTS)
        for (size_t i = 0; i < class_counts[part]; i++) {
            uint32_t *list = classes[part][i];
            for (uint32_t n = 0; n < list[1]; n++) {
                uint32_t document = list[2 + n];
                if (!of_candidate[document]) continue;
                size_t at = __atomic_sub_fetch(&class_count_of[document], 1, __ATOMIC_RELAXED);
                of_candidate[document][at] = list;
            }
        }
    return NULL;
}

static void *find_covers(void *argument)
{
    Worker *worker = argument;
    uint64_t *counts = NULL, *documents = NULL;
    uint32_t *sizes_of = NULL;
    uint8_t *admitted = NULL;
    size_t rooms[4] = {0};
    int next;
    while ((next = atomic_fetch_add(&next_candidate, 1)) < (int)chosen_count) {
        uint32_t document = chosen[next], **lists = of_candidate[document];
        size_t count = 0, all = 0, at = 0;
        for (; lists[count]; count++) all += lists[count][1];
        if (!grow_to((void **)&counts, rooms, count, sizeof *counts)
            || !grow_to((void **)&sizes_of, rooms + 1, count, sizeof *sizes_of)
            || !grow_to((void **)&documents, rooms + 2, all, sizeof *documents)
            || !grow_to((void **)&admitted, rooms + 3, all, 1))
            fail("no memory", "cover");
        for (size_t i = 0; i < count; i++) {
            counts[i] = lists[i][0];
            sizes_of[i] = lists[i][1];
            for (uint32_t n = 0; n < lists[i][1]; n++, at++) {
                documents[at] = lists[i][2 + n];
                admitted[at] = documents[at] != document;
            }
        }
        Classes in = {counts, sizes_of, documents, admitted, count, all};
        Cover cover = {0};
        if (!find_cover(&cover, &in, 1)) fail("no memory", "cover");
        if (cover.taken >= C) worker->quilts++, worker->sources += cover.taken;
        free_cover(&cover);
    }
    return NULL;
}

/* List the candidates, with room for their classes and a NULL behind. */
static void choose_candidates(void)
{
    size_t size = 0;
    chosen = allocate(total * sizeof *chosen);
    of_candidate = allocate(total * sizeof *of_candidate);
    for (size_t d = 0; d < total; d++)
        if (is_candidate(d)) size += class_count_of[d] + 1;
    uint32_t **room = allocate(size * sizeof *room);
    for (size_t d = 0; d < total; d++) {
        if (!is_candidate(d)) continue;
        chosen[chosen_count++] = d;
        of_candidate[d] = room;
        room += class_count_of[d] + 1;
    }
}

static void number_documents_of_archives(void)
{
    for (int i = 0; i < archive_count; i++) {
        found[i].base = total;
        total += found[i].count;
    }
    grams_of = allocate(total * sizeof *grams_of);
    patches = allocate(total * sizeof *patches);
    class_count_of = allocate(total * sizeof *class_count_of);
    for (int i = 0; i < archive_count; i++)
        if (found[i].count)
            memcpy(grams_of + found[i].base, found[i].grams,
                   found[i].count * sizeof *grams_of);
}

#define SUM(field) (workers[0].field + workers[1].field)

int main(int count, char **arguments)
{
    if (count < 4) {
        fprintf(stderr, "usage: quilt_floor TABLES OUT ARCHIVE...\n");
        return 2;
    }
    refuse_archive(arguments[2]);
    load_tables(arguments[1]);
    archives = arguments + 3;
    archive_count = count - 3;
    workers = calloc(THREADS, sizeof *workers);
    found = calloc(archive_count, sizeof *found);
    in_threads(read_archives);
    number_documents_of_archives();
    in_threads(list_documents);
    next_part = 0;
    in_threads(merge_lists);
    choose_candidates();
    next_part = 0;
    in_threads(divide_classes);
    in_threads(find_covers);
    FILE *out = fopen(arguments[2], "w");
    if (!out) fail("cannot be written", arguments[2]);
    fprintf(out, "{\"documents\": %zu, \"words\": %lu, \"wordless\": %lu, "
            "\"with_grams\": %lu, \"grams\": %lu, \"distinct\": %lu, \"candidates\": %zu, "
            "\"quilts\": %lu, \"sources\": %lu}\n",
            total, SUM(words), SUM(wordless), SUM(with_grams), SUM(grams), SUM(distinct),
            chosen_count, SUM(quilts), SUM(sources));
    if (fclose(out)) fail("cannot be written", arguments[2]);
    printf("{\"pages\": %lu, \"payload\": %lu, \"undecided\": %lu, \"shared\": %lu, "
           "\"classes\": %lu}\n",
           SUM(pages), SUM(bytes), SUM(undecided), SUM(shared), SUM(classes));
    return 0;
}
