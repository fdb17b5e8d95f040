/* Collects the words of a page: their hashes and, if asked for, their places and bytes. */

#ifndef WORD_OUT_H
#define WORD_OUT_H
#include <stdlib.h>
#include "word_hash.h"

enum { SEPARATOR, LETTER, MARK, ALONE }; /* as in text/characters.py */
enum { CLASS_BITS = 2, CLASS = 3 };
enum { OFFSETS = 1, TEXT = 2 }; /* what is asked for besides the hashes */

typedef struct {
    int64_t start, stop;
} Span;

typedef struct {
    const uint32_t *table; /* of each code point the lower case and the class */
    int wants;
    int failed; /* there was no memory */
    int kind;   /* of the word that is open, SEPARATOR for none */
    int filled; /* bytes in its last block, fewer than eight */
    uint64_t block;
    Lanes open;
    Span span;
    Lanes *lanes;
    Span *spans;
    size_t count, room, span_room;
    uint8_t *text; /* a line feed behind each word */
    size_t size, text_room;
} WordOut;

static int make_room(void **at, size_t *room, size_t needed, size_t width)
{
    if (needed <= *room) return 1;
    size_t more = *room * 2 > needed ? *room * 2 : needed + 64;
    void *grown = realloc(*at, more * width);
    if (!grown) return 0;
    *at = grown;
    *room = more;
    return 1;
}

static void add_text(WordOut *out, const uint8_t *bytes, size_t count)
{
    if (!make_room((void **)&out->text, &out->text_room, out->size + count, 1)) {
        out->failed = 1;
        return;
    }
    memcpy(out->text + out->size, bytes, count);
    out->size += count;
}

/* Make room for the hashes of more words. */
static inline int has_room(WordOut *out, size_t more)
{
    if (out->room - out->count >= more
        || make_room((void **)&out->lanes, &out->room, out->count + more, sizeof(Lanes)))
        return 1;
    out->failed = 1;
    return 0;
}

/* Add a word that is complete. */
static inline void add_word(WordOut *out, Lanes lanes, Span span)
{
    if (!has_room(out, 1)) return;
    if (out->wants) {
        if (out->wants & TEXT) add_text(out, (const uint8_t *)"\n", 1);
        if (out->wants & OFFSETS) {
            if (!make_room((void **)&out->spans, &out->span_room, out->count + 1,
                           sizeof(Span))) {
                out->failed = 1;
                return;
            }
            out->spans[out->count] = span;
        }
    }
    out->lanes[out->count++] = lanes;
}

static inline void end_word(WordOut *out)
{
    if (out->kind == SEPARATOR) return;
    out->kind = SEPARATOR;
    add_word(out, out->filled ? add_block(out->open, out->block) : out->open, out->span);
}

static void begin_word(WordOut *out, int kind, int64_t start)
{
    out->kind = kind;
    out->open = SEEDS;
    out->block = 0;
    out->filled = 0;
    out->span.start = start;
}

/* Add bytes to the open word: `count` of a block, 1 to 8, the others are zeros. */
static void add_bytes(WordOut *out, uint64_t block, int count)
{
    out->block |= block << 8 * out->filled;
    int filled = out->filled + count;
    if (filled >= 8) {
        out->open = add_block(out->open, out->block);
        out->block = out->filled ? block >> 8 * (8 - out->filled) : 0;
        filled -= 8;
    }
    out->filled = filled;
    if (out->wants & TEXT) {
        uint8_t bytes[8];
        for (int i = 0; i < count; i++) bytes[i] = block >> 8 * i;
        add_text(out, bytes, count);
    }
}

/* Add a character in lower case, as UTF-8. */
static void add_character(WordOut *out, uint32_t c)
{
    if (c < 0x80)
        add_bytes(out, c, 1);
    else if (c < 0x800)
        add_bytes(out, 0x80C0 | c >> 6 | (c & 63) << 8, 2);
    else if (c < 0x10000)
        add_bytes(out, 0x8080E0 | c >> 12 | (c >> 6 & 63) << 8 | (c & 63) << 16, 3);
    else
        add_bytes(out, 0x808080F0u | c >> 18 | (c >> 12 & 63) << 8 | (c >> 6 & 63) << 16
                           | (c & 63) << 24, 4);
}

/* Take a character of the page. */
static void put_character(WordOut *out, uint32_t c, Span span)
{
    uint32_t entry = out->table[c];
    int class = entry & CLASS;
    if (class == SEPARATOR || class == ALONE || (class == LETTER && out->kind == ALONE))
        end_word(out);
    if (class == SEPARATOR) return;
    if (out->kind == SEPARATOR)
        begin_word(out, class == ALONE ? ALONE : LETTER, span.start);
    add_character(out, entry >> CLASS_BITS);
    out->span.stop = span.stop;
}

static void free_words(WordOut *out)
{
    free(out->lanes);
    free(out->spans);
    free(out->text);
}

#endif
