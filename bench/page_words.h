/* The words of pages for the floors, in the states of the kernel's tokenizer. Tables of the
   package come from a file that phrase_tables.py makes.

   A floor defines THREADS and `fail` before. */

#ifndef PAGE_WORDS_H
#define PAGE_WORDS_H
#include <errno.h>
#include <iconv.h>

#include "../mr_reuse/kernel/markup.h"
#define is_word is_word_of_meta /* sniff.h has another one */
#include "../mr_reuse/kernel/meta.h"
#undef is_word
#include "../mr_reuse/kernel/sniff.h"

enum { HEAD = 1024, LABEL = 24, UTF8 = -1 };

typedef struct {
    char label[LABEL];
    int64_t encoding; /* the number of its characters; UTF8; less for SEVERAL */
} Labeled;

/* For iconv, in the order of phrase_tables.py: the codecs that the package takes. */
static const char *const SEVERAL[] = {
    "GB18030", "GB18030", "BIG5-HKSCS", "EUC-JP", "UHC", "ISO-2022-JP", "CP932",
    "UTF-16LE", "UTF-16BE",
};

enum { POLYNOMIALS, CHARACTERS, NAMES, VALUES, LABELS, UPPERS, TABLES };

static const uint8_t *tables[TABLES];
static uint64_t sizes[TABLES];
static int64_t windows_1252;

static int64_t encoding_of(const uint8_t *label, size_t size)
{
    char small[LABEL] = {0};
    while (size && is_space(*label)) label++, size--;
    while (size && is_space(label[size - 1])) size--;
    if (!size || size >= LABEL) return INT64_MIN;
    for (size_t i = 0; i < size; i++)
        small[i] = label[i] >= 'A' && label[i] <= 'Z' ? label[i] | 32 : label[i];
    const Labeled *all = (const Labeled *)tables[LABELS];
    for (size_t i = 0; i < sizes[LABELS] / sizeof *all; i++)
        if (!memcmp(all[i].label, small, LABEL)) return all[i].encoding;
    return INT64_MIN;
}

static void load_tables(const char *name)
{
    struct stat status;
    int file = open(name, O_RDONLY);
    if (file < 0 || fstat(file, &status)) fail("cannot be opened", name);
    const uint8_t *at = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED) fail("cannot be read", name);
    memcpy(sizes, at, sizeof sizes);
    at += sizeof sizes;
    for (int i = 0; i < TABLES; at += (sizes[i++] + 7) / 8 * 8) tables[i] = at;
    windows_1252 = encoding_of((const uint8_t *)"latin1", 6);
    if (windows_1252 < 0) fail("tables of another version", name);
}

/* Return the encoding of a page: by its mark, its `meta` tags, or all of its bytes. */
static int64_t find_encoding(const uint8_t *body, size_t length)
{
    const uint8_t *at = body, *end = body + (length < HEAD ? length : HEAD);
    if (length > 2 && !memcmp(body, "\xef\xbb\xbf", 3)) return UTF8;
    while (at && (at = find_byte(at, end, '<')) < end) {
        Label label;
        at = take_tag(at, end, &label);
        if (label.size < 0 || !at) continue;
        int64_t encoding = encoding_of(label.at, label.size);
        if (encoding != INT64_MIN) return encoding;
    }
    return is_valid_utf8(body, body + length) ? UTF8 : windows_1252;
}

/* Convert a body in an encoding of several bytes to UTF-8; set its length. */
static uint8_t *decode(const uint8_t *body, size_t *length, int64_t encoding)
{
    iconv_t state = iconv_open("UTF-8", SEVERAL[UTF8 - 1 - encoding]);
    char *from = (char *)body, *decoded = malloc(4 * *length), *to = decoded;
    size_t left = *length, room = 4 * left;
    if (state == (iconv_t)-1 || !decoded) fail("no way to decode it", "a page");
    while (iconv(state, &from, &left, &to, &room) == (size_t)-1 && errno == EILSEQ) {
        memcpy(to, "\xef\xbf\xbd", 3);
        to += 3, room -= 3;
        from++, left--;
    }
    iconv_close(state);
    *length = to - decoded;
    return (uint8_t *)decoded;
}

/* Prepare to read pages; scripts are text if `keeps_scripts`. */
static void start_reader(Markup *m, Names *names, int keeps_scripts)
{
    names->values = (const uint32_t *)tables[VALUES];
    if (!index_names(names, (const char *)tables[NAMES], sizes[NAMES], sizes[VALUES] / 8))
        fail("wrong names", "tables");
    m->names = names;
    m->out.table = (const uint32_t *)tables[CHARACTERS];
    m->keeps_scripts = keeps_scripts;
    m->is_last = 1;
}

/* Read the words of a page, which are in `m->out` then. */
static void read_words(Markup *m, const uint8_t *body, size_t length)
{
    int64_t encoding = find_encoding(body, length);
    uint8_t *decoded = encoding < UTF8 ? decode(body, &length, encoding) : NULL;
    if (decoded) body = decoded;
    m->upper = encoding >= 0 ? (const uint32_t *)tables[UPPERS] + 128 * encoding : NULL;
    m->state = DATA;
    m->start = 0;
    m->data = body, m->end = body + length;
    m->out.kind = SEPARATOR;
    m->out.count = 0;
    put_part(m);
    if (m->out.failed) fail("no memory", "words");
    free(decoded);
}

static int is_html(const char *type)
{
    return !strcmp(type, "text/html") || !strcmp(type, "application/xhtml+xml");
}

#endif
