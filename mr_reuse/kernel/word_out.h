/* Collects the words of a page: their hashes and, if asked for, their places and bytes. */

#ifndef WORD_OUT_H
#define WORD_OUT_H
#include <stdlib.h>
#include "rabin.h"
#include "room.h"

enum { SEPARATOR, LETTER, MARK, ALONE }; /* as in text/characters.py */
enum { CLASS_BITS = 2, CLASS = 3 };
enum { OFFSETS = 1, TEXT = 2 }; /* what is asked for besides the hashes */
enum { FINGERPRINTS = 4 };      /* in place of lanes */

typedef struct {
    int64_t start, stop;
} Span;

typedef struct {
    const uint32_t *table; /* of each code point the lower case and the class */
    Rabin *rabin;          /* for fingerprints; NULL for lanes */
    int wants;
    int failed; /* there was no memory */
    int kind;   /* of the word that is open, SEPARATOR for none */
    int filled; /* bytes in its last block, fewer than eight */
    uint64_t block;
    Lanes open; /* its hashes; the first is its fingerprint */
    Span span;
    uint64_t *hashes; /* two lanes or a fingerprint for each word */
    Span *spans;
    size_t count, room, span_room;
    uint8_t *text; /* a line feed behind each word */
    size_t size, text_room;
} WordOut;

/* Return how many numbers a word has. */
static inline size_t width_of(const Rabin *rabin)
{
    return rabin ? 1 : 2;
}

static inline void put_hash(uint64_t *at, Lanes word, size_t width)
{
    at[0] = word.first;
    if (width == 2) at[1] = word.second;
}

/* Return the hashes of the first bytes of a word, 1 to 8; zeros fill the block. */
static inline Lanes begin_hash(Rabin *rabin, uint64_t block, int size)
{
    if (rabin) return (Lanes){first_bytes(rabin, block, size), 0};
    return add_block(SEEDS, block);
}

/* Go on with the hashes of a word whose bytes so far are whole blocks. */
static inline Lanes add_hash(Rabin *rabin, Lanes word, uint64_t block, int size)
{
    if (rabin) return (Lanes){more_bytes(rabin, word.first, block, size), 0};
    return add_block(word, block);
}

/* Add up to eight bytes of a little-endian number to the text. */
static inline void add_text(WordOut *out, uint64_t bytes, int count)
{
    if (out->text_room - out->size < 8
        && !make_room((void **)&out->text, &out->text_room, out->size + 8, 1)) {
        out->failed = 1;
        return;
    }
    store_block(out->text + out->size, bytes);
    out->size += count;
}

/* Make room for the hashes of more words. */
static inline int has_room(WordOut *out, size_t more)
{
    if (out->room - out->count >= more
        || make_room((void **)&out->hashes, &out->room, out->count + more, sizeof(Lanes)))
        return 1;
    out->failed = 1;
    return 0;
}

/* Add a word that is complete. */
static inline void add_word(WordOut *out, Lanes word, Span span)
{
    if (!has_room(out, 1)) return;
    if (out->wants) {
        if (out->wants & TEXT) add_text(out, '\n', 1);
        if (out->wants & OFFSETS) {
            if (!make_room((void **)&out->spans, &out->span_room, out->count + 1,
                           sizeof(Span))) {
                out->failed = 1;
                return;
            }
            out->spans[out->count] = span;
        }
    }
    size_t width = width_of(out->rabin);
    put_hash(out->hashes + width * out->count++, word, width);
}

static inline void end_word(WordOut *out)
{
    if (out->kind == SEPARATOR) return;
    out->kind = SEPARATOR;
    if (out->filled) out->open = add_hash(out->rabin, out->open, out->block, out->filled);
    add_word(out, out->open, out->span);
}

static void begin_word(WordOut *out, int kind, int64_t start)
{
    out->kind = kind;
    out->open = out->rabin ? (Lanes){out->rabin->starts[0], 0} : SEEDS;
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
        out->open = add_hash(out->rabin, out->open, out->block, 8);
        out->block = out->filled ? block >> 8 * (8 - out->filled) : 0;
        filled -= 8;
    }
    out->filled = filled;
    if (out->wants & TEXT) add_text(out, block, count);
}

/* Return the length of a character in UTF-8, and its bytes as a little-endian number. */
static inline int utf8_of(uint32_t c, uint64_t *bytes)
{
    uint64_t last = (c & 63) | 0x80, third = (c >> 6 & 63) | 0x80;
    if (c < 0x80) {
        *bytes = c;
        return 1;
    }
    if (c < 0x800) {
        *bytes = 0xC0 | c >> 6 | last << 8;
        return 2;
    }
    if (c < 0x10000) {
        *bytes = 0xE0 | c >> 12 | third << 8 | last << 16;
        return 3;
    }
    *bytes = 0xF0 | c >> 18 | ((c >> 12 & 63) | 0x80) << 8 | third << 16 | last << 24;
    return 4;
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
    uint64_t bytes;
    int count = utf8_of(entry >> CLASS_BITS, &bytes);
    add_bytes(out, bytes, count);
    out->span.stop = span.stop;
}

static void free_words(WordOut *out)
{
    free(out->hashes);
    free(out->spans);
    free(out->text);
}

/* Forget the words that were found, and give back their memory. */
static inline void clear_words(WordOut *out)
{
    free_words(out);
    out->hashes = NULL, out->spans = NULL, out->text = NULL;
    out->count = out->room = out->span_room = out->size = out->text_room = 0;
}

#endif
