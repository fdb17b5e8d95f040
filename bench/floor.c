/* The floor: what the machine needs for the work, without an interpreter.

   floor THRESHOLD OUT ARCHIVE...

   Inflates the gzip members of WARC archives (libdeflate, which checks their
   CRCs), finds <p and <div, takes the SHA-1 of each chunk and of each whole body
   (libcrypto, which uses SHA-NI or AVX2 where the CPU has them), and counts both in
   open-addressing tables. OUT gets `sha1 TAB length TAB copies` for each chunk longer
   than 100 bytes with more than THRESHOLD copies, OUT.files the same for whole bodies.
   Totals go to standard output as JSON.

   Compiled with SIDE_BY_SIDE it is `floor16`, the faster floor: it hashes sixteen messages
   at a time with the code of the kernel (side_by_side.h).

   Bodies that are compressed or chunked inside their record are refused: the floor
   must not do less work than the others without saying so. */

#define _GNU_SOURCE
#define OPENSSL_SUPPRESS_DEPRECATED  /* SHA1_Update has no EVP object to set up */
#include <fcntl.h>
#include <libdeflate.h>
#ifndef SIDE_BY_SIDE
#include <openssl/sha.h>
#endif
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
#ifdef __AVX2__
#include <immintrin.h>
#endif

#ifdef SIDE_BY_SIDE
#include "../mr_reuse/kernel/hash.c"
enum { HELD = 1 << 20 }; /* inflated bytes whose messages are hashed together */
#endif

enum { THREADS = 2, MIN_LENGTH = 100, BATCH = 16, SNIFFED = 1024 };

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "floor: %s: %s\n", name, what);
    exit(1);
}

/* -- counting ------------------------------------------------------------ */

typedef struct {
    uint8_t digest[20];
    uint32_t length;
    uint64_t copies; /* 0 marks an empty slot */
} Entry;

typedef struct {
    Entry *slots;
    size_t mask, used;
} Table;

static size_t home(const Table *table, const uint8_t *digest)
{
    uint64_t word;
    memcpy(&word, digest, sizeof word);
    return word & table->mask;
}

static void table_init(Table *table, size_t size)
{
    table->slots = mmap(NULL, size * sizeof(Entry), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table->slots == MAP_FAILED) fail("no memory", "table");
    madvise(table->slots, size * sizeof(Entry), MADV_HUGEPAGE);
    table->mask = size - 1;
    table->used = 0;
}

static void table_free(Table *table)
{
    munmap(table->slots, (table->mask + 1) * sizeof(Entry));
}

static void table_add(Table *table, const Entry *entry);

static void table_grow(Table *table)
{
    Table larger;
    table_init(&larger, 2 * (table->mask + 1));
    for (size_t i = 0; i <= table->mask; i++)
        if (table->slots[i].copies) table_add(&larger, &table->slots[i]);
    table_free(table);
    *table = larger;
}

static void table_add(Table *table, const Entry *entry)
{
    size_t i = home(table, entry->digest);
    while (table->slots[i].copies) {
        if (!memcmp(table->slots[i].digest, entry->digest, 20)) {
            table->slots[i].copies += entry->copies;
            return;
        }
        i = (i + 1) & table->mask;
    }
    table->slots[i] = *entry;
    if (++table->used * 5 > table->mask * 3) table_grow(table);
}

/* -- one thread's work --------------------------------------------------- */

typedef struct {
    Table chunks[THREADS], files[THREADS]; /* by partition, one for each merger */
    Entry batch[BATCH];
    size_t waiting;
    uint64_t pages, bytes, pieces;
    uint8_t *buffer;
    size_t capacity;
    struct libdeflate_decompressor *inflater;
#ifdef SIDE_BY_SIDE
    Message *messages;
    uint32_t *order;
    uint8_t *digests, *are_files;
    size_t count, room; /* messages */
    size_t held;        /* bytes of the buffer that messages lie in */
#endif
} Worker;

static char **archives;
static int archive_count;
static atomic_int next_archive;
static Worker workers[THREADS];

static int partition(const uint8_t *digest) { return digest[19] % THREADS; }

#ifdef SIDE_BY_SIDE
#include "side_by_side.h"
#else
static void flush(Worker *worker)
{
    for (size_t i = 0; i < worker->waiting; i++)
        table_add(&worker->chunks[partition(worker->batch[i].digest)],
                  &worker->batch[i]);
    worker->waiting = 0;
}

static void digest_of(const uint8_t *data, size_t length, Entry *entry)
{
    SHA_CTX context;
    SHA1_Init(&context);
    SHA1_Update(&context, data, length);
    SHA1_Final(entry->digest, &context);
    entry->length = length;
    entry->copies = 1;
}

/* Hash a chunk; look it up a little later, when its slot is in the cache. */
static void add_chunk(Worker *worker, const uint8_t *data, size_t length)
{
    Entry *entry = &worker->batch[worker->waiting++];
    digest_of(data, length, entry);
    const Table *table = &worker->chunks[partition(entry->digest)];
    __builtin_prefetch(&table->slots[home(table, entry->digest)]);
    worker->pieces++;
    if (worker->waiting == BATCH) flush(worker);
}

static void add_file(Worker *worker, const uint8_t *data, size_t length)
{
    Entry file;
    digest_of(data, length, &file);
    table_add(&worker->files[partition(file.digest)], &file);
}

static void finish_messages(Worker *worker) { flush(worker); }
static void make_space(Worker *worker) { (void)worker; }
static uint8_t *space(Worker *worker) { return worker->buffer; }
static size_t space_size(Worker *worker) { return worker->capacity; }
static void hold(Worker *worker, size_t size) { (void)worker, (void)size; }
#endif

static int ends_name(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == '/'
        || c == '>';
}

static int is_delimiter(const uint8_t *at, const uint8_t *end)
{
    if (end - at >= 3 && (at[1] | 32) == 'p') return ends_name(at[2]);
    return end - at >= 5 && (at[1] | 32) == 'd' && (at[2] | 32) == 'i'
        && (at[3] | 32) == 'v' && ends_name(at[4]);
}

/* Find the next delimiter from `at` on; `end` if there is none. */
static const uint8_t *next_delimiter(const uint8_t *at, const uint8_t *end)
{
#ifdef __AVX2__
    const __m256i less = _mm256_set1_epi8('<'), lower = _mm256_set1_epi8(32);
    const __m256i p = _mm256_set1_epi8('p'), d = _mm256_set1_epi8('d');
    for (; end - at > 32; at += 32) {
        __m256i here = _mm256_loadu_si256((const __m256i *)at);
        __m256i next = _mm256_loadu_si256((const __m256i *)(at + 1));
        next = _mm256_or_si256(next, lower);
        __m256i letter = _mm256_or_si256(_mm256_cmpeq_epi8(next, p),
                                         _mm256_cmpeq_epi8(next, d));
        uint32_t found = _mm256_movemask_epi8(
            _mm256_and_si256(_mm256_cmpeq_epi8(here, less), letter));
        for (; found; found &= found - 1) {
            const uint8_t *tag = at + __builtin_ctz(found);
            if (is_delimiter(tag, end)) return tag;
        }
    }
#endif
    while (at < end && (at = memchr(at, '<', end - at))) {
        if (is_delimiter(at, end)) return at;
        at++;
    }
    return end;
}

/* Text by the product's rule: no NUL, few control bytes; a UTF-16 mark is text. */
static int is_text(const uint8_t *body, size_t length)
{
    size_t sniffed = length < SNIFFED ? length : SNIFFED, controls = 0;
    if (length > 1 && ((body[0] == 0xff && body[1] == 0xfe)
                       || (body[0] == 0xfe && body[1] == 0xff)))
        return 1;
    for (size_t i = 0; i < sniffed; i++) {
        uint8_t c = body[i];
        if (!c) return 0;
        controls += (c < 32 && c != '\t' && c != '\n' && c != '\r' && c != '\f'
                     && c != 27) || c == 127;
    }
    return controls * 10 <= sniffed;
}

static void add_page(Worker *worker, const uint8_t *body, size_t length)
{
    const uint8_t *end = body + length, *start, *stop;
    if (!length || !is_text(body, length)) return;
    worker->pages++;
    worker->bytes += length;
    add_file(worker, body, length);
    stop = next_delimiter(body, end);
    if (stop > body) add_chunk(worker, body, stop - body);
    while (stop < end) {
        start = stop;
        stop = next_delimiter(start + 1, end);
        add_chunk(worker, start, stop - start);
    }
}

#include "reader.h"

static void *count_archives(void *argument)
{
    Worker *worker = argument;
    int i;
    worker->inflater = libdeflate_alloc_decompressor();
    worker->capacity = 4 << 20;
    worker->buffer = malloc(worker->capacity);
    for (i = 0; i < THREADS; i++) {
        table_init(&worker->chunks[i], 1 << 17);
        table_init(&worker->files[i], 1 << 12);
    }
    while ((i = atomic_fetch_add(&next_archive, 1)) < archive_count)
        add_archive(worker, archives[i]);
    return NULL;
}

/* -- the results --------------------------------------------------------- */

static void merge_into(Table *target, Table *source)
{
    /* What comes in the order of its slots piles up in a table that is too small. */
    while ((target->used + source->used) * 5 > target->mask * 3) table_grow(target);
    for (size_t i = 0; i <= source->mask; i++)
        if (source->slots[i].copies) table_add(target, &source->slots[i]);
    table_free(source);
}

/* Each merger takes one half of the digests from all workers. */
static void *merge_partition(void *argument)
{
    size_t part = (Worker *)argument - workers;
    for (int i = 1; i < THREADS; i++) {
        merge_into(&workers[0].chunks[part], &workers[i].chunks[part]);
        merge_into(&workers[0].files[part], &workers[i].files[part]);
    }
    return NULL;
}

static int by_copies(const void *left, const void *right)
{
    const Entry *a = left, *b = right;
    if (a->copies != b->copies) return a->copies < b->copies ? 1 : -1;
    return memcmp(a->digest, b->digest, 20);
}

static void write_table(const Table *tables, const char *name, uint64_t threshold,
                        uint32_t min_length)
{
    size_t count = 0, total = 0;
    for (int part = 0; part < THREADS; part++) total += tables[part].used;
    Entry *found = malloc((total + 1) * sizeof *found);
    FILE *out = fopen(name, "w");
    if (!found || !out) fail("cannot be written", name);
    for (int part = 0; part < THREADS; part++)
        for (size_t i = 0; i <= tables[part].mask; i++) {
            const Entry *entry = &tables[part].slots[i];
            if (entry->copies > threshold && entry->length > min_length)
                found[count++] = *entry;
        }
    qsort(found, count, sizeof *found, by_copies);
    for (size_t i = 0; i < count; i++) {
        char line[96];
        int at = 0;
        for (int j = 0; j < 20; j++) {
            line[at++] = "0123456789abcdef"[found[i].digest[j] >> 4];
            line[at++] = "0123456789abcdef"[found[i].digest[j] & 15];
        }
        at += sprintf(line + at, "\t%u\t%llu\n", found[i].length,
                      (unsigned long long)found[i].copies);
        fwrite(line, 1, at, out);
    }
    if (fclose(out)) fail("cannot be written", name);
    free(found);
}

int main(int count, char **arguments)
{
    uint64_t pages = 0, bytes = 0, pieces = 0, distinct = 0, files = 0;
    char name[4096];
    if (count < 4) {
        fprintf(stderr, "usage: floor THRESHOLD OUT ARCHIVE...\n");
        return 2;
    }
    refuse_archive(arguments[2]);
#ifdef SIDE_BY_SIDE
    hash_with(); /* chooses instructions, before there are threads */
#endif
    archives = arguments + 3;
    archive_count = count - 3;
    in_threads(count_archives);
    in_threads(merge_partition);
    uint64_t threshold = strtoull(arguments[1], NULL, 10);
    write_table(workers[0].chunks, arguments[2], threshold, MIN_LENGTH);
    snprintf(name, sizeof name, "%s.files", arguments[2]);
    write_table(workers[0].files, name, threshold, 0);
    for (int i = 0; i < THREADS; i++) {
        pages += workers[i].pages;
        bytes += workers[i].bytes;
        pieces += workers[i].pieces;
        distinct += workers[0].chunks[i].used;
        files += workers[0].files[i].used;
    }
    printf("{\"pages\": %llu, \"payload\": %llu, \"chunks\": %llu, "
           "\"distinct_chunks\": %llu, \"distinct_files\": %llu}\n",
           (unsigned long long)pages, (unsigned long long)bytes,
           (unsigned long long)pieces, (unsigned long long)distinct,
           (unsigned long long)files);
    return 0;
}
