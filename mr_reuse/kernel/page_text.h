/* The text of a page: from bytes between tags to the characters of words. */

#ifndef PAGE_TEXT_H
#define PAGE_TEXT_H
#include "references.h"
#include "states.h"
#include "word_out.h"

enum {
    AHEAD = 64, /* a token that is left is shorter, and special names as well */
    OPENING = 6, /* bytes that tell what a `<` begins */
    LONG_NUMBER = 40, /* as in text/markup.py */
};

typedef struct {
    WordOut out;
    Names *names;
    const uint32_t *upper; /* characters of the bytes from 0x80 on; NULL: UTF-8 */
    int keeps_scripts, is_last;
    enum State state, text_state; /* text_state: in which the NUMBER is */
    int is_end_tag;
    const SpecialName *name; /* of the tag, or of the element that holds the text */
    uint32_t number;
    int base;
    const uint8_t *data, *end;
    int64_t start; /* of the data in the body */
} Markup;

static inline int64_t place(const Markup *m, const uint8_t *at)
{
    return m->start + (at - m->data);
}

/* Return the size of the character of UTF-8 at a byte from 0x80 on; 0 if it is none, and -1
   if the data end inside it. */
static int read_utf8(const uint8_t *at, const uint8_t *end, uint32_t *character)
{
    uint8_t first = at[0], low = 0x80, high = 0xBF;
    if (first < 0xC2 || first > 0xF4) return 0;
    int size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
    uint32_t c = first & (0x7F >> size);
    for (int i = 1; i < size; i++) {
        if (at + i == end) return -1;
        if (at[i] < low || at[i] > high) return 0;
        c = c << 6 | (at[i] & 63);
        low = 0x80, high = 0xBF;
    }
    *character = c;
    return size;
}

/* Return whether bytes are UTF-8; the last character may be incomplete. */
static int is_valid_utf8(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        uint32_t c;
        int size = 1;
        if (end - at >= 8 && !(load_block(at) & EACH(0x80)))
            size = 8;
        else if (*at >= 0x80)
            size = read_utf8(at, end, &c);
        if (size <= 0) return size < 0;
        at += size;
    }
    return 1;
}

/* Take a character outside ASCII; return what is behind it, or NULL if it is cut. */
static const uint8_t *put_upper(Markup *m, const uint8_t *at)
{
    uint32_t c = 0;
    int size = 1;
    if (m->upper) {
        c = m->upper[*at - 0x80];
    } else {
        size = read_utf8(at, m->end, &c);
        if (size < 0 && !m->is_last) return NULL;
        if (size <= 0) size = 1, c = REPLACEMENT;
    }
    put_character(&m->out, c, (Span){place(m, at), place(m, at + size)});
    return at + size;
}

/* Take more characters of the open word, which is no letter that stands alone. The same as
   `put_upper` and `put_letters`, with the state in registers. */
static const uint8_t *put_rest(Markup *m, const uint8_t *at, const uint8_t *stop)
{
    WordOut *out = &m->out;
    Lanes open = out->open;
    uint64_t block = out->block;
    int filled = out->filled;
    while (at < stop) {
        uint32_t c = *at;
        int size = 1;
        if (c >= 0x80 && m->upper)
            c = m->upper[c - 0x80];
        else if (c >= 0x80 && (size = read_utf8(at, m->end, &c)) <= 0)
            break;
        uint32_t entry = out->table[c];
        if ((entry & CLASS) != LETTER && (entry & CLASS) != MARK) break;
        uint64_t bytes;
        int count = utf8_of(entry >> CLASS_BITS, &bytes);
        if (out->wants & TEXT) add_text(out, bytes, count);
        block |= bytes << 8 * filled;
        filled += count;
        if (filled >= 8) {
            open = add_hash(out->rabin, open, block, 8);
            filled -= 8;
            block = filled ? bytes >> 8 * (count - filled) : 0;
        }
        at += size;
    }
    out->open = open;
    out->block = block;
    out->filled = filled;
    out->span.stop = place(m, at);
    return at;
}

/* Take letters and digits of ASCII as a part of a word that may go on. */
static const uint8_t *put_letters(Markup *m, const uint8_t *at, const uint8_t *stop)
{
    WordOut *out = &m->out;
    if (out->kind == ALONE) end_word(out);
    if (out->kind == SEPARATOR) begin_word(out, LETTER, place(m, at));
    if (!(out->wants & OFFSETS)) return put_rest(m, at, stop);
    for (int count = 8; count == 8 && at < stop; at += count) {
        uint64_t block = load_some(at, stop);
        count = count_letters(block);
        if (count) add_bytes(out, small_letters(block, count), count);
    }
    out->span.stop = place(m, at);
    return at;
}

/* Return whether a `<` begins a tag, which ends a word; a `</>` does not. */
static inline int is_tag(const uint8_t *at)
{
    return *at == '<' && (is_letter(at[1]) || (at[1] == '/' && is_letter(at[2])));
}

/* As `put_words`. The compiler makes a loop for lanes, where `rabin` is NULL, and another one
   for fingerprints. */
static inline ALWAYS const uint8_t *put_words_as(WordOut *out, Rabin *rabin,
                                                 const uint8_t *at, const uint8_t *stop)
{
    const size_t width = width_of(rabin);
    while (stop - at >= 2 * SCANNED && has_room(out, SCANNED)) {
        Sixteen bytes = load_sixteen(at);
        uint32_t letters = letters_in(bytes), behind = SCANNED;
        uint32_t special = equal_to(bytes, '<') | equal_to(bytes, '&') | upper_bytes(bytes);
        uint64_t *hashes = out->hashes + width * out->count;
        if (special) behind = __builtin_ctz(special);
        letters &= (1u << behind) - 1;
        while (letters) {
            uint32_t begin = __builtin_ctz(letters);
            uint32_t size = __builtin_ctz(~(letters >> begin));
            letters &= ~0u << (begin + size);
            if (begin + size == behind && !is_tag(at + behind)) {
                if (!begin) special = 1; /* it is too long */
                behind = begin;
                break;
            }
            uint64_t block = small_letters(load_block(at + begin), size < 8 ? size : 8);
            Lanes word = begin_hash(rabin, block, size < 8 ? size : 8);
            if (out->wants) add_text(out, block, size < 8 ? size : 8);
            if (size > 8) {
                block = small_letters(load_block(at + begin + 8), size - 8);
                word = add_hash(rabin, word, block, size - 8);
                if (out->wants) add_text(out, block, size - 8);
            }
            if (out->wants) add_text(out, '\n', 1);
            put_hash(hashes, word, width);
            hashes += width;
        }
        out->count = (hashes - out->hashes) / width;
        at += behind;
        if (special) break;
    }
    return at;
}

/* Take words of ASCII as long as each ends before a byte that separates words for sure.
   `special` are all bytes that may do something else. Their places are not noted. */
static const uint8_t *put_words(WordOut *out, const uint8_t *at, const uint8_t *stop)
{
    if (out->rabin) return put_words_as(out, out->rabin, at, stop);
    return put_words_as(out, NULL, at, stop);
}

/* Take text up to `stop`, or to a `<` or `&` if they are special in it; or to a character
   that the data cut. */
static const uint8_t *put_text(Markup *m, const uint8_t *at, const uint8_t *stop,
                               int has_tags, int has_references)
{
    WordOut *out = &m->out;
    while (at < stop) {
        if (out->kind == SEPARATOR && !(out->wants & OFFSETS) && stop - at >= 2 * SCANNED)
            at = put_words(out, at, stop);
        uint8_t c = *at;
        if (is_letter(c) || (c >= '0' && c <= '9')) {
            at = put_letters(m, at, stop);
        } else if (c >= 0x80) {
            const uint8_t *behind = put_upper(m, at);
            if (!behind) return at;
            at = behind;
            if (out->kind == LETTER && !(out->wants & OFFSETS)) at = put_rest(m, at, stop);
        } else if ((c == '<' && has_tags) || (c == '&' && has_references)) {
            return at;
        } else {
            end_word(out);
            at++;
        }
    }
    return at;
}

/* Take the reference at a `&`; return what is behind it, or NULL if it may be cut. */
static const uint8_t *put_reference(Markup *m, const uint8_t *at)
{
    WordOut *out = &m->out;
    const uint8_t *end = m->end, *behind = at + 1;
    if (end - at < AHEAD && !m->is_last) return NULL;
    if (behind < end && *behind == '#') {
        int base = end - behind > 1 && (behind[1] | 32) == 'x' ? 16 : 10;
        const uint8_t *digits = behind + (base == 16 ? 2 : 1), *near = at + LONG_NUMBER + 1;
        uint32_t number = 0;
        behind = read_digits(digits, end < near ? end : near, base, &number);
        if (behind > digits) {
            behind += behind < end && *behind == ';';
            if (behind - at > LONG_NUMBER) {
                m->number = 0, m->base = base;
                m->text_state = m->state, m->state = NUMBER;
                return digits;
            }
            Span span = {place(m, at), place(m, behind)};
            put_character(out, character_of(number), span);
            return behind;
        }
    } else if (behind < end && is_letter(*behind)) {
        Found found = read_name(m->names, behind, end);
        if (found.length) {
            Span span = {place(m, at), place(m, behind + found.length)};
            put_character(out, found.characters[0], span);
            if (found.characters[1]) put_character(out, found.characters[1], span);
            return behind + found.length;
        }
    }
    end_word(out);
    return at + 1;
}

/* Take the digits of a long number; its last character alone stands for it. */
static const uint8_t *put_number(Markup *m, const uint8_t *at)
{
    const uint8_t *behind = at;
    while (behind < m->end && digit_of(*behind, m->base) >= 0) behind++;
    read_digits(at, behind, m->base, &m->number);
    if (behind == m->end && !m->is_last) return behind;
    behind += behind < m->end && *behind == ';';
    int64_t stop = place(m, behind);
    put_character(&m->out, character_of(m->number), (Span){stop - 1, stop});
    m->state = m->text_state;
    return behind;
}

#endif
