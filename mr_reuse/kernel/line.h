/* The values of page lines: their fields, and the columns of short pages. For any unusual
   line, these functions give up, and Python reads it. */

#ifndef LINE_H
#define LINE_H
#include "base64.h"
#include "head.h"

/* The fields of page_lines.py after the key. */
enum {
    LINE_URL, LINE_DATE, LINE_IP, LINE_TYPE, LINE_SIZE, FILE_HASH, CHUNKS, PACKED,
    ALL_FIELDS = 13
};

typedef struct {
    Text fields[ALL_FIELDS]; /* those behind the last one are empty */
    uint64_t size, chunks;
    Text columns; /* in base64: the digests, then the lengths as 32-bit numbers */
} Line;

/* Divide a value at its tabs. Return 0 if fields are missing or left. */
static int split_value(Line *line, Text value)
{
    const char *at = value.at, *end = at + value.size;
    int count = 0;
    for (; count < ALL_FIELDS; count++) {
        const char *tab = memchr(at, '\t', end - at);
        line->fields[count] = (Text){at, (tab ? tab : end) - at};
        if (!tab) break;
        at = tab + 1;
    }
    if (count < PACKED || count == ALL_FIELDS) return 0;
    while (++count < ALL_FIELDS) line->fields[count] = (Text){end, 0};
    return 1;
}

/* Read a number without a sign or blanks, as writers of lines write it. */
static int read_number(Text text, uint64_t *number)
{
    return text.size && is_digit(text.at[0]) && is_digit(text.at[text.size - 1])
        && read_length(text, number);
}

/* Read the line of a short page with digests of `width` bytes. Return 0 for any other. */
static int read_line(Line *line, Text value, int width)
{
    uint64_t number = 0;
    if (!split_value(line, value)) return 0;
    Text packed = line->fields[PACKED];
    const char *colon = memchr(packed.at, ':', packed.size);
    if (!colon || colon - packed.at < 3 || memcmp(colon - 2, ",4", 2)
        || !read_number((Text){packed.at, colon - 2 - packed.at}, &number)
        || number != (uint64_t)width || *packed.at == '0')
        return 0;
    line->columns = (Text){colon + 1, packed.at + packed.size - colon - 1};
    return read_number(line->fields[LINE_SIZE], &line->size)
        && read_number(line->fields[CHUNKS], &line->chunks)
        && line->chunks <= line->columns.size
        && base64_bytes(line->columns.at, line->columns.size)
            == line->chunks * (width + 4);
}

/* Read the digest of a file. Return 0 unless it has `width` bytes. */
static inline int read_file_hash(const Line *line, uint8_t *digest, int width)
{
    Text hex = line->fields[FILE_HASH];
    if (hex.size != 2 * (size_t)width) return 0;
    for (size_t i = 0; i < hex.size; i++) {
        char c = hex.at[i];
        int nibble = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (nibble < 0) return 0;
        digest[i / 2] = i % 2 ? digest[i / 2] << 4 | nibble : nibble;
    }
    return 1;
}

#endif
