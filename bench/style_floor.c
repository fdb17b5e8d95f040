/* The floor of styles: what the machine needs for fingerprints and clusters of them.

   style_floor PARAMETERS OUT ARCHIVE...

   Makes the fingerprints of HTML pages with the functions of the kernel (AVX-512 where the
   CPU has it), and keeps 16 bits of each value. Finds the pages that agree in enough
   dimensions, among those with the same key in a probed dimension: of up to 1,000 pages all
   pairs, of more with at most 250 representatives. Joins them by union-find. Finds the mean
   similarity and the prototype of each cluster. All is in memory.

   PARAMETERS is what `styles parameters` prints. OUT gets the counts, as `stats.json` of
   styles has them, and OUT.tsv the clusters: a row for each page, with its number, the
   first page and the mean of its cluster, and its similarity to the prototype. All pages
   are documents of their own, as with `--captures all`. */

#define _GNU_SOURCE
#include <errno.h>
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

#include "../mr_reuse/kernel/fingerprint.h"
#include "../mr_reuse/kernel/sniff.h"

enum {
    THREADS = 2, M = DIMENSIONS, ALIKE = 35, KEYS = 1 << 16, NO_KEY = KEYS - 1,
    ALL_PAIRS = 1000, REPRESENTATIVES = 250, LINE = 4096,
};

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "style_floor: %s: %s\n", name, what);
    exit(1);
}

/* -- parameters ----------------------------------------------------------- */

typedef struct {
    size_t n, m, probed_count, dimensions;
    uint64_t multiplier, mixer, key_multiplier, masks[M];
    uint8_t shuffles[M][64];
    int probed[M];
} Parameters;

static Parameters parameters;

static void read_dimension(Parameters *p, int i, const char *text)
{
    char *rest;
    p->masks[i] = strtoull(text, &rest, 16);
    for (int bit = 0; bit < 64; bit++) {
        unsigned place;
        if (sscanf(rest + 1 + 2 * bit, "%2x", &place) != 1) fail("a shuffle is cut", "PARAMETERS");
        p->shuffles[i][bit] = place;
    }
    p->dimensions++;
}

static void read_parameters(Parameters *p, const char *name)
{
    char line[LINE], key[32];
    int used;
    FILE *file = fopen(name, "r");
    if (!file) fail("cannot be opened", name);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%31s %n", key, &used) != 1) continue;
        char *value = line + used;
        if (!strcmp(key, "n")) p->n = atoi(value);
        else if (!strcmp(key, "m")) p->m = atoi(value);
        else if (!strcmp(key, "multiplier")) p->multiplier = strtoull(value, NULL, 16);
        else if (!strcmp(key, "mixer")) p->mixer = strtoull(value, NULL, 16);
        else if (!strcmp(key, "key-multiplier")) p->key_multiplier = strtoull(value, NULL, 16);
        else if (!strcmp(key, "probed"))
            for (char *at = value; *at && *at != '\n' && p->probed_count < M;)
                p->probed[p->probed_count++] = strtol(at, &at, 10);
        else if (*key >= '0' && *key <= '9' && atoi(key) < M)
            read_dimension(p, atoi(key), value);
    }
    fclose(file);
    if (p->m != M || p->dimensions != M || !p->key_multiplier || !p->probed_count)
        fail("parameters of another version", name);
}

/* -- fingerprints --------------------------------------------------------- */

typedef struct {
    uint16_t keys[M];
} Row;

typedef struct {
    Row *rows;
    size_t count, room;
} Archive;

typedef struct {
    Printer *printer;
    Archive *archive; /* that is read */
    uint64_t pages, documents, bytes, undecided, comparisons, left_out;
    uint32_t *parents; /* of union-find */
    uint8_t *buffer;
    size_t capacity;
    struct libdeflate_decompressor *inflater;
} Worker;

#include "whole_bodies.h"

static void *allocate(size_t bytes)
{
    void *at = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0);
    if (at == MAP_FAILED) fail("no memory", "table");
    madvise(at, bytes + 1, MADV_HUGEPAGE);
    return at;
}

static void add_row(Archive *archive, const uint64_t *values)
{
    if (archive->count == archive->room) {
        archive->room = archive->room ? 2 * archive->room : 1024;
        archive->rows = realloc(archive->rows, archive->room * sizeof *archive->rows);
        if (!archive->rows) fail("no memory", "fingerprints");
    }
    uint16_t *keys = archive->rows[archive->count++].keys;
    for (int i = 0; i < M; i++) {
        uint16_t key = values[i] * parameters.key_multiplier >> 48;
        keys[i] = values[i] == EMPTY ? NO_KEY : key == NO_KEY ? NO_KEY - 1 : key;
    }
}

static void add_page(Worker *worker, const uint8_t *body, size_t length)
{
    Printer *p = worker->printer;
    const char *type = certain_type(body, length);
    if (!length) return;
    worker->pages++;
    worker->bytes += length;
    worker->undecided += !*type;
    if (strcmp(type, "text/html") && strcmp(type, "application/xhtml+xml")) return;
    worker->documents++;
    start_print(p);
    add_noise(p, body, length, 0);
    offer_noise(p, p->size);
    if (p->page.has_grams) add_row(worker->archive, p->page.least);
}

static void *read_archives(void *argument)
{
    Worker *worker = argument;
    int i;
    worker->inflater = libdeflate_alloc_decompressor();
    worker->capacity = 4 << 20;
    worker->buffer = malloc(worker->capacity);
    worker->printer = aligned_alloc(64, (sizeof(Printer) + 63) / 64 * 64);
    if (!worker->inflater || !worker->buffer || !worker->printer) fail("no memory", "thread");
    make_printer(worker->printer, parameters.n, M, parameters.multiplier, parameters.mixer);
    for (i = 0; i < M; i++)
        make_dimension(worker->printer, i, parameters.masks[i], parameters.shuffles[i]);
    while ((i = atomic_fetch_add(&next_archive, 1)) < archive_count) {
        worker->archive = &found[i];
        add_archive(worker, archives[i]);
    }
    return NULL;
}

/* -- clusters ------------------------------------------------------------- */

static Row *rows; /* of all pages with a fingerprint, in their order */
static size_t total;
static atomic_int next_probe;

static uint32_t root_of(uint32_t *parents, uint32_t number)
{
    while (parents[number] != number) number = parents[number] = parents[parents[number]];
    return number;
}

static void join(uint32_t *parents, uint32_t one, uint32_t other)
{
    uint32_t a = root_of(parents, one), b = root_of(parents, other);
    if (a < b) parents[b] = a;
    if (b < a) parents[a] = b;
}

static unsigned agreeing(uint32_t one, uint32_t other)
{
    const uint16_t *a = rows[one].keys, *b = rows[other].keys;
    uint16_t same = 0; /* in lanes as wide as a key */
    for (int i = 0; i < M; i++) same += (a[i] == b[i]) & (a[i] != NO_KEY);
    return same;
}

static int are_alike(Worker *worker, uint32_t one, uint32_t other)
{
    worker->comparisons++;
    return agreeing(one, other) >= ALIKE;
}

/* Compare all pairs that are not known to be of one cluster. */
static void search_small(Worker *worker, const uint32_t *numbers, size_t count)
{
    uint32_t *parents = worker->parents, root = root_of(parents, numbers[0]);
    size_t same = 1;
    while (same < count && root_of(parents, numbers[same]) == root) same++;
    for (size_t i = same; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (root_of(parents, numbers[i]) != root_of(parents, numbers[j])
                && are_alike(worker, numbers[i], numbers[j]))
                join(parents, numbers[i], numbers[j]);
}

/* A page that is alike no representative becomes one. */
static void search_large(Worker *worker, const uint32_t *numbers, size_t count)
{
    uint32_t *parents = worker->parents, chosen[REPRESENTATIVES];
    size_t members = 0;
    for (size_t i = 0; i < count; i++) {
        int is_joined = 0;
        for (size_t j = 0; j < members; j++) {
            if (is_joined && root_of(parents, chosen[j]) == root_of(parents, numbers[i]))
                continue;
            if (!are_alike(worker, chosen[j], numbers[i])) continue;
            join(parents, chosen[j], numbers[i]);
            is_joined = 1;
        }
        worker->left_out += i - members;
        if (!is_joined && members < REPRESENTATIVES) chosen[members++] = numbers[i];
    }
}

/* Sort the pages by their key in a dimension, and search each bucket. */
static void search_dimension(Worker *worker, int dimension, uint32_t *numbers)
{
    uint32_t *starts = calloc(KEYS + 1, sizeof *starts);
    if (!starts) fail("no memory", "buckets");
    for (size_t i = 0; i < total; i++) starts[rows[i].keys[dimension] + 1]++;
    for (size_t key = 0; key < KEYS; key++) starts[key + 1] += starts[key];
    for (size_t i = 0; i < total; i++) numbers[starts[rows[i].keys[dimension]]++] = i;
    /* Each start is now that of the next bucket. */
    for (size_t key = 0, start = 0; key < NO_KEY; start = starts[key++]) {
        size_t count = starts[key] - start;
        if (count > ALL_PAIRS)
            search_large(worker, numbers + start, count);
        else if (count > 1)
            search_small(worker, numbers + start, count);
    }
    free(starts);
}

static void *find_alike(void *argument)
{
    Worker *worker = argument;
    uint32_t *numbers = allocate(total * sizeof *numbers);
    worker->parents = allocate(total * sizeof *worker->parents);
    for (size_t i = 0; i < total; i++) worker->parents[i] = i;
    size_t i;
    while ((i = atomic_fetch_add(&next_probe, 1)) < parameters.probed_count)
        search_dimension(worker, parameters.probed[i], numbers);
    return NULL;
}

/* -- styles --------------------------------------------------------------- */

/* Write the rows of a cluster: its mean in linear time, and the page with the greatest sum
   of matches, to which all are compared. */
static void write_style(FILE *out, const uint32_t *numbers, size_t size)
{
    static uint32_t counts[KEYS];
    uint64_t *matches = calloc(size, sizeof *matches), sum = 0;
    size_t prototype = 0;
    if (!matches) fail("no memory", "styles");
    for (int d = 0; d < M; d++) {
        for (size_t i = 0; i < size; i++) counts[rows[numbers[i]].keys[d]]++;
        counts[NO_KEY] = 1;
        for (size_t i = 0; i < size; i++) matches[i] += counts[rows[numbers[i]].keys[d]] - 1;
        for (size_t i = 0; i < size; i++) counts[rows[numbers[i]].keys[d]] = 0;
        counts[NO_KEY] = 0;
    }
    for (size_t i = 0; i < size; i++) {
        sum += matches[i];
        if (matches[i] > matches[prototype]) prototype = i;
    }
    double mean = (double)sum / M / size / (size - 1);
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%u\t%u\t%.9f\t%.9f\n", numbers[i], numbers[0], mean,
                agreeing(numbers[i], numbers[prototype]) / (double)M);
    free(matches);
}

typedef struct {
    size_t styles, members, largest;
} Counts;

static Counts write_styles(const char *name, uint32_t *parents)
{
    Counts counts = {0, 0, 0};
    uint32_t *starts = allocate((total + 1) * sizeof *starts);
    uint32_t *numbers = allocate(total * sizeof *numbers);
    char *path;
    if (asprintf(&path, "%s.tsv", name) < 0) fail("no memory", name);
    FILE *out = fopen(path, "w");
    if (!out) fail("cannot be written", path);
    for (size_t i = 0; i < total; i++) starts[root_of(parents, i) + 1]++;
    for (size_t i = 0; i < total; i++) starts[i + 1] += starts[i];
    for (size_t i = 0; i < total; i++) numbers[starts[root_of(parents, i)]++] = i;
    for (size_t i = 0, start = 0; i < total; start = starts[i++]) {
        size_t size = starts[i] - start;
        if (size < 2) continue;
        write_style(out, numbers + start, size);
        counts.styles++;
        counts.members += size;
        counts.largest = size > counts.largest ? size : counts.largest;
    }
    if (fclose(out)) fail("cannot be written", path);
    free(path);
    return counts;
}

int main(int count, char **arguments)
{
    uint64_t pages = 0, documents = 0, bytes = 0, undecided = 0, made = 0, left_out = 0;
    if (count < 4) {
        fprintf(stderr, "usage: style_floor PARAMETERS OUT ARCHIVE...\n");
        return 2;
    }
    refuse_archive(arguments[2]);
    read_parameters(&parameters, arguments[1]);
    archives = arguments + 3;
    archive_count = count - 3;
    workers = calloc(THREADS, sizeof *workers);
    found = calloc(archive_count, sizeof *found);
    in_threads(read_archives);
    for (int i = 0; i < archive_count; i++) total += found[i].count;
    rows = allocate(total * sizeof *rows);
    for (int i = 0, at = 0; i < archive_count; at += found[i++].count)
        memcpy(rows + at, found[i].rows, found[i].count * sizeof *rows);
    in_threads(find_alike);
    for (int t = 1; t < THREADS; t++)
        for (size_t i = 0; i < total; i++)
            join(workers[0].parents, i, root_of(workers[t].parents, i));
    Counts counts = write_styles(arguments[2], workers[0].parents);
    for (int i = 0; i < THREADS; i++) {
        pages += workers[i].pages, documents += workers[i].documents;
        bytes += workers[i].bytes, undecided += workers[i].undecided;
        made += workers[i].comparisons, left_out += workers[i].left_out;
    }
    FILE *out = fopen(arguments[2], "w");
    if (!out) fail("cannot be written", arguments[2]);
    fprintf(out, "{\"documents\": %lu, \"without_style\": %lu, \"styles\": %lu, "
            "\"members\": %lu, \"largest\": %lu, \"left_out\": %lu}\n",
            documents, documents - total, counts.styles, counts.members, counts.largest,
            left_out);
    if (fclose(out)) fail("cannot be written", arguments[2]);
    printf("{\"pages\": %lu, \"payload\": %lu, \"undecided\": %lu, \"comparisons\": %lu}\n",
           pages, bytes, undecided, made);
    return 0;
}
