/* Any bytes through the kernel, under sanitizers, against plain code and libcrypto.

   `make fuzz` needs clang with libFuzzer and libssl-dev. */

#define _GNU_SOURCE
#define SHA1 OURS1 /* libcrypto has functions of these names */
#define SHA256 OURS256
#include "../../mr_reuse/kernel/cut.h"
#include "../../mr_reuse/kernel/hash.c"
#include "../../mr_reuse/kernel/find.h"
#include "../../mr_reuse/kernel/head.h"
#include "../../mr_reuse/kernel/line.h"
#include "../../mr_reuse/kernel/sniff.h"
#define FIRST_ROOM 4 /* so that it grows often */
#include "../../mr_reuse/kernel/table.h"
#undef SHA1
#undef SHA256

#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const char *WAYS_[] = {"avx512", "sha-ni", "avx2", "plain"};
static const char *TAGS[] = {"p", "div", "h1", "sixteenletters16", "a", "b7"};
static const char AFTER[] = " \t\n\f\r/>";

static void must(int holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static int is_tag(const uint8_t *at, const uint8_t *end, int tags)
{
    if (*at != '<') return 0;
    for (int i = 0; i < tags; i++) {
        long length = strlen(TAGS[i]);
        if (end - at >= length + 2 && !strncasecmp((const char *)at + 1, TAGS[i], length)
            && at[length + 1] && strchr(AFTER, at[length + 1]))
            return 1;
    }
    return 0;
}

/* What a header says lies in the record, and the record in the bytes, which it fills if
   it is alone; whether it is one. */
static int read_record(const void *data, size_t size, int is_alone)
{
    Head head;
    char *member = malloc(size); /* of just this size, so that a byte too far is seen */
    memcpy(member, data, size);
    int is_record = read_head(&head, (Text){member, size}, is_alone);
    if (is_record) {
        must(head.start + head.length + 4 <= size, "a record that runs over the end");
        must(!is_alone || head.start + head.length + 4 == size, "bytes are left");
        must(head.status < 0 || head.body <= head.length, "a body outside its block");
        Text type = head.content_type;
        must(!type.size || (type.at >= member + head.start
                            && type.at + type.size <= member + head.start + head.length),
             "a type outside its message");
        for (int i = 0; i < FIELDS; i++) {
            Text field = head.fields[i];
            must(!field.size || (field.at >= member && field.at + field.size
                                                           <= member + head.start),
                 "a field outside the header");
        }
    }
    free(member);
    return is_record;
}

/* The same for a record that is sound around any fields and any message. */
static void wrap(const uint8_t *data, size_t size)
{
    static char member[1 << 14];
    size_t fields = size / 4, left = size - fields;
    if (size > 8192) return;
    int head = sprintf(member,
                       "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %zu\r\nx: ",
                       left + 9);
    memcpy(member + head, data, fields);
    char *at = member + head + fields;
    at += sprintf(at, "\r\n\r\nHTTP/1.1 ");
    memcpy(at, data + fields, left);
    memcpy(at + left, "\r\n\r\n", 4);
    int is_record = read_record(member, at + left + 4 - member, 1);
    must(is_record <= read_record(member, at + left + 4 - member, 0), "only alone");
    /* Fields that end the header, or name another length, may make it none. */
    must(is_record || memchr(data, '\n', fields) || memchr(data, '\r', fields),
         "a sound record was refused");
}

/* The first bytes, as many as the first one says, stand where memmem finds them. */
static void find_few(const uint8_t *data, size_t size)
{
    size_t few = 1 + data[0] % 9;
    if (size < 1 + few) return;
    const uint8_t *from = data + 1 + few / 2, *end = data + size;
    must(find_bytes(from, end, data + 1, few) == memmem(from, end - from, data + 1, few),
         "a place was missed");
}

/* No type of text with a byte of no text, and no byte behind the end is read. */
static void tell_type(const uint8_t *data, size_t size)
{
    uint8_t *body = malloc(size);
    memcpy(body, data, size);
    const char *type = certain_type(body, size);
    must(!*type || !memchr(body, 0, size < SNIFFED ? size : SNIFFED), "no text");
    free(body);
}

/* Columns come back from a line, in which any bytes may stand for another field. */
static void read_columns(const uint8_t *data, size_t size)
{
    enum { WIDTH = 8, ROW = WIDTH + 4 };
    static char value[1 << 14];
    Line line;
    size_t before = size / 2, rows = (size - before) / ROW, bytes = rows * ROW;
    if (size > 8192) return;
    memcpy(value, data, before);
    int at = before + sprintf(value + before, "\tb\tc\td\t7\t\t%zu\t8,4:", rows);
    const uint8_t *columns = data + before;
    size_t end = encode_base64(value + at, columns, bytes) - value;
    char *copy = malloc(end); /* of just this size, so that a byte too far is seen */
    memcpy(copy, value, end);
    int has_tab = memchr(data, '\t', before) != NULL;
    int is_read = read_line(&line, (Text){copy, end}, WIDTH);
    must(is_read || has_tab, "a line was refused");
    if (is_read && !has_tab) {
        uint8_t *found = malloc(bytes + 1);
        must(line.chunks == rows && line.size == 7, "wrong numbers");
        must(decode_base64(found, line.columns.at, line.columns.size), "not decoded");
        must(!memcmp(found, columns, bytes), "wrong columns");
        free(found);
    }
    free(copy);
    copy = malloc(size);
    memcpy(copy, data, size);
    read_line(&line, (Text){copy, size}, WIDTH);
    size_t room = base64_bytes(copy, size);
    uint8_t *found = malloc(room == SIZE_MAX ? 1 : room + 1);
    decode_base64(found, copy, size);
    free(found);
    free(copy);
}

/* The parts of a table have each row once, in the order in which they came. */
static void sort_digests(const Table *table, int bits)
{
    uint32_t order[100], at = 0;
    uint32_t *sizes = malloc(sizeof *sizes << bits);
    sort_by_part(table, bits, sizes, order);
    for (uint32_t part = 0; part < 1u << bits; part++)
        for (uint32_t i = 0; i < sizes[part]; i++, at++) {
            const uint8_t *key = table->keys + order[at] * table->width;
            must((uint32_t)(key[0] << 8 | key[1]) >> (16 - bits) == part, "wrong part");
            must(!i || order[at] > order[at - 1], "wrong order");
        }
    must(at == table->count, "rows are missing");
    free(sizes);
}

/* Every eight bytes are a digest; each page has twenty of them. */
static void count_digests(const uint8_t *data, size_t size)
{
    static const uint8_t LENGTHS[4 * 20];
    enum { WIDTH = 8, PAGE = 20 };
    Table table = {.width = WIDTH, .seed = 0x9e3779b97f4a7c15};
    size_t all = size < 800 ? size / WIDTH : 100;
    for (size_t i = 0; i < all; i += PAGE)
        must(count_page(&table, data + i * WIDTH, LENGTHS,
                        all - i < PAGE ? all - i : PAGE), "no memory");
    for (uint32_t row = 0; row < table.count; row++) {
        uint64_t copies = 0, pages = 0, last = 0;
        for (size_t i = 0; i < all; i++) {
            if (memcmp(data + i * WIDTH, table.keys + row * WIDTH, WIDTH)) continue;
            copies++;
            pages += last != i / PAGE + 1;
            last = i / PAGE + 1;
        }
        must(copies && copies == table.numbers[row].copies, "wrong copies");
        must(pages == table.numbers[row].pages, "wrong pages");
    }
    sort_digests(&table, all % 17);
    clear_table(&table);
    must(count_page(&table, data, LENGTHS, all < PAGE ? all : PAGE), "no memory");
    must(!all == !table.count, "wrong rows in a cleared table");
    free_table(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    uint8_t how = data[size - 1];
    int tags = 1 + how % 6, digest = how & 4 ? OURS256 : OURS1;
    if (!hash_choose(WAYS_[how >> 4 & 3])) hash_choose("");
    size--; /* the last byte has said how; what begins as a record still does */

    Delimiters delimiters = {0};
    for (const char *c = AFTER; *c; c++) delimiters.after[(uint8_t)*c] = 1;
    for (int i = 0; i < tags; i++)
        add_tag(&delimiters, (const uint8_t *)TAGS[i], strlen(TAGS[i]));
    size_t count = 0;
    Message *messages = malloc((size + 1) * sizeof *messages);
    const uint8_t *at = data, *end = data + size;
    messages[count++] = (Message){data, size};
    while (at < end) {
        const uint8_t *next = next_delimiter(&delimiters, at + 1, end);
        for (const uint8_t *c = at + 1; c < next; c++)
            must(!is_tag(c, end, tags), "a delimiter was missed");
        must(next == end || is_tag(next, end, tags), "cut where no delimiter is");
        messages[count++] = (Message){at, next - at};
        at = next;
    }
    uint32_t *order = malloc(count * sizeof *order);
    uint8_t *digests = malloc(count * digest), expected[32];
    hash_all(digest, messages, count, order, digests);
    for (size_t i = 0; i < count; i++) {
        (digest == OURS1 ? SHA1 : SHA256)(messages[i].data, messages[i].length, expected);
        must(!memcmp(expected, digests + i * digest, digest), "a wrong digest");
    }
    free(messages);
    free(order);
    free(digests);
    read_record(data, size, 0);
    read_record(data, size, 1);
    wrap(data, size);
    find_few(data, size);
    tell_type(data, size);
    read_columns(data, size);
    count_digests(data, size);
    return 0;
}
