/* Any bytes through the fingerprints of styles and their comparison, under sanitizers: in
   parts and whole, with all instructions of this CPU.

   `make fuzz` needs clang with libFuzzer. With gcc: `gcc -g -fsanitize=address,undefined
   -DRANDOM tests/kernel/fuzz_fingerprints.c`. */

#include <stdio.h>

#define WAITING 512 /* so that noise waits often, and is hashed often */
#include "../../mr_reuse/kernel/agree.h"
#include "../../mr_reuse/kernel/tags.h"

static void must(int holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state >> 11;
}

/* Make a printer with other parameters for each seed. */
static void make(Printer *p, size_t n, size_t m, const char *way)
{
    uint64_t state = n + m;
    make_printer(p, n, m, 0x6494a01eb5372b05, 0x738af4907a2cb31d);
    for (size_t i = 0; i < m; i++) {
        uint8_t shuffle[64];
        for (int bit = 0; bit < 64; bit++) shuffle[bit] = bit;
        for (int bit = 63; bit; bit--) {
            int other = next_random(&state) % (bit + 1);
            uint8_t kept = shuffle[bit];
            shuffle[bit] = shuffle[other], shuffle[other] = kept;
        }
        make_dimension(p, i, next_random(&state) << 11, shuffle);
    }
    choose_print(p, way);
}

/* Read a page in parts of a size. */
static void read_page(Printer *p, Tags *t, int how, const uint8_t *data, size_t size,
                      size_t part)
{
    start_print(p);
    start_tags(t, p);
    for (size_t at = 0; at < size; at += part) {
        size_t some = size - at < part ? size - at : part;
        uint8_t *bytes = malloc(some); /* of just this size, so that a byte too far is seen */
        memcpy(bytes, data + at, some);
        if (how == 1)
            add_tags(t, bytes, some, 0);
        else
            add_noise(p, bytes, some, how == 2);
        free(bytes);
    }
    if (how == 1) end_tags(t);
    offer_noise(p, p->size);
}

static void compare_rows(const uint8_t *data, size_t size, int how)
{
    size_t width = 1 << how % 4, m = 1 + how % 31;
    size_t rows = size / (m * width);
    uint64_t sizes[2] = {rows / 2, rows - rows / 2};
    Search search = {.rows = data, .m = m, .width = width, .compare = compare_of(width),
                     .t = 1 + how % 3, .normalizes = how % 2, .all_pairs = how % 20,
                     .representatives = 1 + how % 4};
    must(search_buckets(&search, sizes, 2), "memory");
    for (size_t i = 0; i < search.count; i++)
        must(search.pairs[i].first < search.pairs[i].second && search.pairs[i].second < rows,
             "a pair outside the rows");
    free(search.pairs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Printer one, other;
    static Tags tags;
    static const size_t SIZES[] = {1, 2, 7, 32, 33, 256}, DIMENSIONS_OF[] = {1, 3, 64, 100, 128};
    static const char *WAYS[] = {"plain", ""};
    if (size < 2) return 0;
    uint8_t how = data[--size];
    size_t n = SIZES[how % 6], m = DIMENSIONS_OF[how % 5], part = 1 + (how >> 2) * (how >> 4);
    make(&one, n, m, WAYS[0]);
    make(&other, n, m, WAYS[1]);
    for (int preprocessor = 0; preprocessor < 3; preprocessor++) {
        read_page(&one, &tags, preprocessor, data, size, size);
        read_page(&other, &tags, preprocessor, data, size, part);
        must(one.page.has_grams == other.page.has_grams, "grams");
        must(!memcmp(one.page.least, other.page.least, sizeof one.page.least), "least values");
    }
    compare_rows(data, size, how);
    return 0;
}

#ifdef RANDOM
int main(int count, char **arguments)
{
    static const char *const PIECES[] = {
        "<", ">", "</", "<!--", "-->", "--!>", "-", "!", "?", "/", "=", "\"", "'", " ", "\n",
        "a", "B7", "word", "<p>", "<b ", "<script>", "</script>", "<style>", "</style>",
        "<title>", "</title", "<textarea>", "</textarea >", "<plaintext>", "<xmp>", "</xmp ",
        "<script ", "<!", "\xc3\xa9", "\xff", "<a href=\"x>y\">", "<a b='c'>", "<br/>", "</>",
        "<longnamelongnamelongname", "<i b=/>",
    };
    enum { KINDS_OF_PIECES = sizeof PIECES / sizeof *PIECES };
    static uint8_t page[1 << 16];
    srand(count > 1 ? atoi(arguments[1]) : 1);
    for (long left = count > 2 ? atol(arguments[2]) : 2000; left; left--) {
        size_t size = 0;
        int kinds = 1 + rand() % KINDS_OF_PIECES;
        for (int n = rand() % 400; n; n--) {
            const char *piece = PIECES[rand() % kinds];
            memcpy(page + size, piece, strlen(piece));
            size += strlen(piece);
        }
        page[size++] = rand();
        LLVMFuzzerTestOneInput(page, size);
    }
    puts("nothing found");
    return 0;
}
#endif
