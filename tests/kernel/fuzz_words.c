/* Any bytes through the tokenizer of the kernel, under sanitizers.

   `make fuzz` needs clang with libFuzzer. With -DRANDOM, any compiler makes a program that
   tries random pages: its arguments are a seed and a number of pages. */

#include <stdio.h>
#define FEW_GRAMS 16 /* so that there are buckets */
#include "../../mr_reuse/kernel/grams.h"
#include "../../mr_reuse/kernel/markup.h"
#include "../../mr_reuse/kernel/meta.h"
#define BATCH 128 /* so that pages have several */
#include "../../mr_reuse/kernel/shingles.h"

static const char NAMES[] = "amp\namp;\neacute\neacute;\nfjlig;\nnot\nnotin;\n";
static const uint32_t VALUES[] = {
    '&', 0, '&', 0, 0xE9, 0, 0xE9, 0, 'f', 'j', 0xAC, 0, 0x2209, 0,
};
static uint32_t table[LAST_CHARACTER + 1], upper[128];
static Names names;
static Rabin rabin;
static Shingler shinglers[2]; /* portable, and the fastest */
static const uint64_t OF_WORDS = 0x1B, OF_PHRASES = 0x56F4DA9902D85551ull;

static void must(int holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void make_tables(void)
{
    if (names.count) return;
    for (uint32_t c = 0; c <= LAST_CHARACTER; c++) {
        int class = c * 2654435761u >> 30;
        if (c < 128) class = is_letter(c) || (c >= '0' && c <= '9') ? LETTER : SEPARATOR;
        table[c] = (c >= 'A' && c <= 'Z' ? c | 32 : c) << CLASS_BITS | class;
    }
    for (int i = 0; i < 128; i++) upper[i] = 0x400 + i;
    uint64_t polynomials[FUNCTIONS];
    for (int f = 0; f < FUNCTIONS; f++) polynomials[f] = (f + 1) * FIRST_FACTOR | 1;
    make_rabin(&rabin, OF_WORDS);
    for (int i = 0; i < 2; i++) {
        make_shingler(shinglers + i, OF_PHRASES, polynomials);
        must(choose_ways(shinglers + i, i ? "" : "plain"), "instructions");
    }
    names.values = VALUES;
    must(index_names(&names, NAMES, sizeof NAMES - 1, 7), "names");
}

/* Read a page in parts of some size, each in memory of just its size. */
static void read_page(Markup *m, const uint8_t *data, size_t size, size_t part)
{
    uint8_t *left = malloc(1);
    size_t held = 0;
    for (size_t at = 0; at < size || !m->is_last; at += part) {
        if (part > size - at) part = size - at;
        uint8_t *all = malloc(held + part ? held + part : 1);
        memcpy(all, left, held);
        memcpy(all + held, data + at, part);
        m->data = all, m->end = all + held + part;
        m->is_last = at + part == size;
        const uint8_t *behind = put_part(m);
        must(behind >= m->data && behind <= m->end, "outside the data");
        m->start += behind - m->data;
        held = m->end - behind;
        must(held < AHEAD && !(m->is_last && held), "bytes are left");
        free(left);
        left = malloc(held + 1);
        memcpy(left, behind, held);
        free(all);
        if (m->is_last) break;
    }
    free(left);
    must(m->start == (int64_t)size, "bytes are missing");
}

static Markup begin(uint8_t how, int wants)
{
    Markup m = {.names = &names};
    m.upper = how & 1 ? upper : NULL;
    m.keeps_scripts = how >> 1 & 1;
    m.out.table = table;
    m.out.wants = wants & (OFFSETS | TEXT);
    m.out.rabin = wants & FINGERPRINTS ? &rabin : NULL;
    m.state = how & 4 ? DATA : PLAIN;
    return m;
}

static void check_words(const WordOut *out, size_t size)
{
    if (!out->count) return;
    const uint8_t *text = out->text, *end = out->text + out->size;
    int64_t last = 0;
    for (size_t i = 0; i < out->count; i++) {
        Lanes lanes = SEEDS;
        const uint8_t *stop = memchr(text, '\n', end - text);
        must(stop && stop > text, "a word without bytes");
        for (const uint8_t *at = text; at < stop; at += 8)
            lanes = add_block(lanes, load_some(at, stop));
        must(!memcmp(&lanes, out->hashes + 2 * i, sizeof lanes), "hashes of other bytes");
        must(out->spans[i].start >= last && out->spans[i].stop > out->spans[i].start,
             "words in no order");
        last = out->spans[i].start;
        text = stop + 1;
    }
    must(text == end && last <= (int64_t)size, "bytes of no word");
}

static void find_labels(const uint8_t *data, size_t size)
{
    const uint8_t *at = data, *end = data + size;
    while (at && (at = find_byte(at, end, '<')) < end) {
        Label label;
        const uint8_t *from = at;
        at = take_tag(at, end, &label);
        must(!at || (at > from && at <= end), "no progress");
        must(!at || label.size < 0 || (label.at >= data && label.at + label.size <= end),
             "a label outside the data");
    }
}

/* The grams of a page and of its first half are sorted, and each is once in a document. */
static void sort_grams(const WordOut *out, int k)
{
    GramBlock block = {.k = k};
    const uint64_t *lanes = out->hashes;
    must(add_document(&block, lanes, out->count, 1), "no memory");
    must(add_document(&block, lanes, out->count / 2, 2), "no memory");
    must(sort_block(&block), "no memory");
    for (size_t i = 1; i < block.count; i++) {
        const Gram *before = block.grams + i - 1, *gram = block.grams + i;
        must(!is_before(gram, before), "wrong order");
        must(starts_gram(&block, i) || document_of(gram) > document_of(before), "a gram twice");
    }
    free_block(&block);
}

/* The remainder of some bytes behind others, bit by bit. */
static uint64_t divide_bits(uint64_t rest, const uint8_t *at, size_t size,
                            uint64_t polynomial)
{
    for (size_t i = 0; i < 8 * size; i++) {
        uint64_t bit = at[i / 8] >> (7 - i % 8) & 1;
        rest = times_x(rest, polynomial) ^ bit;
    }
    return rest;
}

static const uint8_t ZEROS[8];

static uint64_t fingerprint(const uint8_t *at, size_t size, uint64_t polynomial)
{
    return divide_bits(divide_bits(1, at, size, polynomial), ZEROS, 8, polynomial);
}

static void put_big(uint8_t *at, uint64_t number)
{
    for (int i = 0; i < 8; i++) at[i] = number >> (56 - 8 * i);
}

/* Whether the fingerprints of words are those of their texts. */
static void check_fingerprints(const WordOut *found, const WordOut *whole)
{
    const uint8_t *text = whole->text;
    for (size_t i = 0; i < found->count; i++) {
        const uint8_t *stop = memchr(text, '\n', whole->text + whole->size - text);
        must(fingerprint(text, stop - text, OF_WORDS) == found->hashes[i], "fingerprint");
        text = stop + 1;
    }
}

/* Phrases, and the least of one function, by their definition; the same in two parts, and
   for other instructions. */
static void check_shingles(const uint64_t *words, size_t count, int function)
{
    uint64_t *phrases = malloc(8 * count + 1), least = UINT64_MAX, winner = 0;
    uint64_t *others = malloc(8 * count + 1);
    Shingler *s = shinglers, *fast = shinglers + 1;
    find_phrases(s, words, count, phrases);
    find_phrases(fast, words, count, others);
    must(!memcmp(phrases, others, 8 * count), "phrases by other instructions");
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[8 * K_WORDS];
        for (int j = 0; j < K_WORDS; j++) put_big(bytes + 8 * j, words[(i + j) % count]);
        must(phrases[i] == fingerprint(bytes, sizeof bytes, OF_PHRASES), "phrase");
        put_big(bytes, phrases[i]);
        uint64_t value = fingerprint(bytes, 8, s->polynomials[function]);
        if (value <= least) least = value, winner = phrases[i];
    }
    start_page(s), start_page(fast);
    add_words(s, words, count);
    add_words(fast, words, count / 3);
    add_words(fast, words + count / 3, count - count / 3);
    must(end_page(s) == (count > 0) && end_page(fast) == (count > 0), "end of a page");
    must(!count || s->phrases[function] == winner, "least phrase");
    must(!count || !memcmp(s->phrases, fast->phrases, sizeof s->phrases), "other shingles");
    free(phrases);
    free(others);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    make_tables();
    if (size < 2) return 0;
    uint8_t how = data[--size];
    Markup whole = begin(how, OFFSETS | TEXT), hashes = begin(how, 0);
    Markup parts = begin(how, OFFSETS), texts = begin(how, TEXT);
    Markup fingerprints = begin(how, FINGERPRINTS), cut = begin(how, FINGERPRINTS | TEXT);
    read_page(&fingerprints, data, size, size);
    read_page(&cut, data, size, 1 + (how >> 3) * (how >> 3));
    read_page(&texts, data, size, size);
    read_page(&whole, data, size, size);
    read_page(&hashes, data, size, size);
    read_page(&parts, data, size, 1 + (how >> 3) * (how >> 3));
    const WordOut *out = &whole.out;
    check_words(out, size);
    size_t count = out->count;
    must(hashes.out.count == count && parts.out.count == count, "count");
    must(texts.out.count == count && texts.out.size == out->size, "size of texts");
    must(fingerprints.out.count == count && cut.out.count == count, "fingerprints");
    check_fingerprints(&fingerprints.out, out);
    check_fingerprints(&cut.out, out);
    check_shingles(cut.out.hashes, count, how % FUNCTIONS);
    if (count) {
        size_t bytes = count * sizeof(Lanes);
        must(!memcmp(hashes.out.hashes, out->hashes, bytes), "hashes");
        must(!memcmp(parts.out.hashes, out->hashes, bytes), "hashes of parts");
        must(!memcmp(texts.out.hashes, out->hashes, bytes), "hashes with texts");
        must(!memcmp(texts.out.text, out->text, out->size), "texts alone");
        must(!memcmp(parts.out.spans, out->spans, count * sizeof(Span)), "places of parts");
    }
    sort_grams(&whole.out, 1 + how % 7);
    free_words(&whole.out);
    free_words(&hashes.out);
    free_words(&parts.out);
    free_words(&texts.out);
    free_words(&fingerprints.out);
    free_words(&cut.out);
    is_valid_utf8(data, data + size);
    find_labels(data, size);
    return 0;
}

#ifdef RANDOM
int main(int count, char **arguments)
{
    static const char *const PIECES[] = {
        "<", ">", "</", "<!--", "-->", "--!>", "-", "!", "?", "/", "=", "\"", "'", " ", "\n",
        "a", "B7", "word", "sixteencharacter", "<p>", "<b ", "<script>", "</script>",
        "<style>", "</style>", "<title>", "</title", "<textarea>", "</textarea >",
        "<plaintext>", "<xmp>", "</xmp ", "<script ", "<!", "&", "&amp;", "&eacute", "&notit;",
        "&#", "&#x", "65", "&#65", "&#x41;", "&#000000000000000000000000000000000000000000065;",
        ";", "\xc3\xa9", "\xe6\xbc\xa2", "\xe0\xb8\x81", "\xf0\x9f\x98\x80", "\xff", "\xe2\x82",
        "\xc3", "&fjlig;", "<a href=\"x>y\">", "<a b='c'>", "<br/>", "</>", "<meta charset=",
    };
    enum { KINDS_OF_PIECES = sizeof PIECES / sizeof *PIECES };
    static uint8_t page[1 << 16];
    srand(count > 1 ? atoi(arguments[1]) : 1);
    for (long left = count > 2 ? atol(arguments[2]) : 10000; left; left--) {
        size_t size = 0;
        int kinds = 1 + rand() % KINDS_OF_PIECES;
        for (int n = rand() % 200; n; n--) {
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
