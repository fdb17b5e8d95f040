/* The floor of phrases: what the machine needs for near-duplicates and popular shingles.

   phrase_floor TABLES OUT ARCHIVE...

   Reads the words of HTML pages (with scripts) in the states of the kernel's tokenizer, and
   takes their Rabin fingerprints by carry-less multiplications. Takes 84 minima of the
   phrases of each page (kernel/gfni.h, where the CPU has GFNI). Finds the classes of
   near-duplicates, by hashes of pairs of runs and union-find. Finds the shingles that at
   least five of the documents kept have, and the documents of each. All is in memory.

   TABLES is made by phrase_tables.py. OUT gets the counts, as `stats.json` of phrases has
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

/* The fingerprints of words, without tables if the CPU multiplies without carry. */
#ifdef __PCLMUL__
#include <immintrin.h>
#define first_bytes first_bytes_by_tables
#define more_bytes more_bytes_by_tables
#include "../mr_reuse/kernel/rabin.h"
#undef first_bytes
#undef more_bytes

static uint64_t word_polynomial, word_quotient;

/* Return a number times x^64, modulo the polynomial of words. */
static inline uint64_t reduce(uint64_t number)
{
    __m128i x = _mm_cvtsi64_si128(number);
    __m128i both = _mm_set_epi64x(word_polynomial, word_quotient);
    __m128i whole = _mm_unpackhi_epi64(_mm_clmulepi64_si128(x, both, 0x00), x);
    whole = _mm_xor_si128(whole, x);
    return _mm_cvtsi128_si64(_mm_clmulepi64_si128(whole, both, 0x10));
}

static inline uint64_t first_bytes(Rabin *r, uint64_t block, int size)
{
    return r->starts[size] ^ reduce(number_of(block, size));
}

static inline uint64_t more_bytes(Rabin *r, uint64_t fingerprint, uint64_t block, int size)
{
    uint64_t number = number_of(block, size);
    (void)r;
    if (size == 8) return reduce(fingerprint ^ number);
    return fingerprint << 8 * size ^ reduce(fingerprint >> (64 - 8 * size) ^ number);
}
#endif

#include "../mr_reuse/kernel/shingles.h"

enum {
    THREADS = 2, RUNS = 6, RUN = FUNCTIONS / RUNS, PAIRS = RUNS * (RUNS - 1) / 2,
    POPULAR = 5,
};

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "phrase_floor: %s: %s\n", name, what);
    exit(1);
}

#include "page_words.h"

/* -- documents ------------------------------------------------------------ */

typedef struct {
    uint64_t phrases[FUNCTIONS]; /* with the least value of each function */
} Vector;

typedef struct {
    Vector *vectors;
    size_t count, room;
} Archive;

typedef struct {
    Markup markup;
    Names names;
    Rabin rabin;
    Shingler shingler;
    Archive *archive; /* that is read */
    uint64_t pages, documents, words, bytes, undecided;
    uint8_t *buffer;
    size_t capacity;
    struct libdeflate_decompressor *inflater;
} Worker;

#include "whole_bodies.h"

static void add_vector(Archive *archive, const uint64_t *phrases)
{
    if (archive->count == archive->room) {
        archive->room = archive->room ? 2 * archive->room : 1024;
        archive->vectors =
            realloc(archive->vectors, archive->room * sizeof *archive->vectors);
        if (!archive->vectors) fail("no memory", "vectors");
    }
    memcpy(archive->vectors[archive->count++].phrases, phrases, sizeof(Vector));
}

static void add_page(Worker *worker, const uint8_t *body, size_t length)
{
    Markup *m = &worker->markup;
    Shingler *s = &worker->shingler;
    const char *type = certain_type(body, length);
    if (!length) return;
    worker->pages++;
    worker->bytes += length;
    worker->undecided += !*type;
    if (!is_html(type)) return;
    worker->documents++;
    read_words(m, body, length);
    worker->words += m->out.count;
    start_page(s);
    add_words(s, m->out.hashes, m->out.count);
    if (end_page(s)) add_vector(worker->archive, s->phrases);
}

static void start_worker(Worker *worker)
{
    const uint64_t *polynomials = (const uint64_t *)tables[POLYNOMIALS];
    Markup *m = &worker->markup;
    worker->inflater = libdeflate_alloc_decompressor();
    worker->capacity = 4 << 20;
    worker->buffer = malloc(worker->capacity);
    make_rabin(&worker->rabin, polynomials[0]);
    make_shingler(&worker->shingler, polynomials[1], polynomials + 2);
    start_reader(m, &worker->names, 1);
    m->out.rabin = &worker->rabin;
}

static void *read_archives(void *argument)
{
    Worker *worker = argument;
    int i;
    start_worker(worker);
    while ((i = atomic_fetch_add(&next_archive, 1)) < archive_count) {
        worker->archive = &found[i];
        add_archive(worker, archives[i]);
    }
    return NULL;
}

/* -- near-duplicates ------------------------------------------------------ */

static const Vector **vectors; /* of all documents with words, in their order */
static uint32_t *parents;
static size_t total;
static uint32_t (*edges[THREADS])[2];
static size_t edge_counts[THREADS];

typedef struct {
    uint64_t key;
    uint32_t first; /* number of a document, from 1 */
} Slot;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

static int thread_of(void *worker) { return (Worker *)worker - workers; }

static void *allocate(size_t bytes)
{
    void *at = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0);
    if (at == MAP_FAILED) fail("no memory", "table");
    madvise(at, bytes + 1, MADV_HUGEPAGE);
    return at;
}

/* Find edges by the keys of a thread: those that end with its number. */
static void *find_edges(void *argument)
{
    int thread = thread_of(argument);
    size_t mask = 1;
    while (mask < total * PAIRS) mask *= 2;
    Slot *slots = allocate(mask * sizeof *slots);
    edges[thread] = allocate(total * PAIRS * sizeof *edges[thread]);
    for (size_t d = 0; d < total; d++) {
        uint64_t runs[RUNS];
        for (int r = 0; r < RUNS; r++) {
            runs[r] = r;
            for (int i = 0; i < RUN; i++)
                runs[r] = mix(runs[r] + 0x9E3779B97F4A7C15ull * vectors[d]->phrases[r * RUN + i]);
        }
        for (int a = 0; a < RUNS; a++)
            for (int b = a + 1; b < RUNS; b++) {
                uint64_t key = mix(runs[a] ^ mix(runs[b]));
                if (key % THREADS != (uint64_t)thread) continue;
                size_t at = key >> 8 & (mask - 1);
                while (slots[at].first && slots[at].key != key) at = (at + 1) & (mask - 1);
                if (slots[at].first) {
                    uint32_t *edge = edges[thread][edge_counts[thread]++];
                    edge[0] = slots[at].first - 1, edge[1] = d;
                } else {
                    slots[at] = (Slot){key, d + 1};
                }
            }
    }
    munmap(slots, mask * sizeof *slots + 1);
    return NULL;
}

static uint32_t root_of(uint32_t number)
{
    while (parents[number] != number) number = parents[number] = parents[parents[number]];
    return number;
}

static void join_edges(void)
{
    parents = allocate(total * sizeof *parents);
    for (size_t i = 0; i < total; i++) parents[i] = i;
    for (int t = 0; t < THREADS; t++)
        for (size_t i = 0; i < edge_counts[t]; i++) {
            uint32_t a = root_of(edges[t][i][0]), b = root_of(edges[t][i][1]);
            if (a < b) parents[b] = a;
            if (b < a) parents[a] = b;
        }
}

/* -- popular shingles ----------------------------------------------------- */

static uint32_t *kept, *popular; /* numbers of documents; popular shingles of each */
static size_t kept_count;
static uint64_t popular_counts[THREADS], entries[THREADS];

typedef struct {
    uint64_t phrase;
    uint32_t count, start; /* documents; where they begin */
} Shingle;

/* Find the popular shingles at every other position, and the documents of each. */
static void *find_popular(void *argument)
{
    int thread = thread_of(argument);
    size_t mask = 1;
    while (mask < 2 * kept_count) mask *= 2;
    Shingle *table = allocate(mask * sizeof *table);
    uint32_t *slots = allocate(kept_count * sizeof *slots);
    for (int position = thread; position < FUNCTIONS; position += THREADS) {
        uint32_t documents = 0;
        memset(table, 0, mask * sizeof *table);
        for (size_t i = 0; i < kept_count; i++) {
            uint64_t phrase = vectors[kept[i]]->phrases[position];
            size_t at = phrase * 0x9E3779B97F4A7C15ull >> 32 & (mask - 1);
            while (table[at].count && table[at].phrase != phrase) at = (at + 1) & (mask - 1);
            table[at].phrase = phrase;
            table[at].count++;
            slots[i] = at;
        }
        for (size_t at = 0; at < mask; at++)
            if (table[at].count >= POPULAR) {
                popular_counts[thread]++;
                table[at].start = documents;
                documents += table[at].count;
            }
        uint32_t *lists = malloc((documents + 1) * sizeof *lists); /* kept to the end */
        if (!lists) fail("no memory", "lists");
        for (size_t i = 0; i < kept_count; i++) {
            Shingle *shingle = &table[slots[i]];
            if (shingle->count < POPULAR) continue;
            lists[shingle->start++] = kept[i];
            __atomic_fetch_add(&popular[kept[i]], 1, __ATOMIC_RELAXED);
        }
        entries[thread] += documents;
    }
    return NULL;
}

int main(int count, char **arguments)
{
    uint64_t pages = 0, documents = 0, words = 0, bytes = 0, undecided = 0, classes = 0;
    if (count < 4) {
        fprintf(stderr, "usage: phrase_floor TABLES OUT ARCHIVE...\n");
        return 2;
    }
    refuse_archive(arguments[2]);
    load_tables(arguments[1]);
    if (sizes[POLYNOMIALS] != 8 * (2 + FUNCTIONS)) fail("other functions", arguments[1]);
    archives = arguments + 3;
    archive_count = count - 3;
#ifdef __PCLMUL__
    word_polynomial = *(const uint64_t *)tables[POLYNOMIALS];
    word_quotient = quotient_of(word_polynomial);
#endif
    workers = calloc(THREADS, sizeof *workers);
    found = calloc(archive_count, sizeof *found);
    in_threads(read_archives);
    for (int i = 0; i < archive_count; i++) total += found[i].count;
    vectors = allocate(total * sizeof *vectors);
    for (int i = 0, at = 0; i < archive_count; i++)
        for (size_t j = 0; j < found[i].count; j++) vectors[at++] = &found[i].vectors[j];
    in_threads(find_edges);
    join_edges();
    kept = allocate(total * sizeof *kept);
    popular = allocate(total * sizeof *popular);
    uint8_t *has_others = allocate(total);
    for (size_t i = 0; i < total; i++) {
        uint32_t root = root_of(i);
        if (root == i) {
            kept[kept_count++] = i;
        } else if (!has_others[root]) {
            has_others[root] = 1;
            classes++;
        }
    }
    in_threads(find_popular);
    for (int i = 0; i < THREADS; i++) {
        pages += workers[i].pages, documents += workers[i].documents;
        words += workers[i].words, bytes += workers[i].bytes;
        undecided += workers[i].undecided;
    }
    FILE *out = fopen(arguments[2], "w");
    if (!out) fail("cannot be written", arguments[2]);
    fprintf(out, "{\"documents\": %lu, \"words\": %lu, \"wordless\": %lu, "
            "\"near_duplicates\": %lu, \"classes\": %lu, \"kept\": %lu, "
            "\"popular_shingles\": %lu, \"entries\": %lu}\n",
            documents, words, documents - total, total - kept_count, classes, kept_count,
            popular_counts[0] + popular_counts[1], entries[0] + entries[1]);
    if (fclose(out)) fail("cannot be written", arguments[2]);
    printf("{\"pages\": %lu, \"payload\": %lu, \"undecided\": %lu}\n", pages, bytes, undecided);
    return 0;
}
