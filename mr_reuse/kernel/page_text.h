/* The text of a page: from bytes between tags to the characters of words. */

#ifndef PAGE_TEXT_H
#define PAGE_TEXT_H
#include "references.h"
#include "word_out.h"

enum State { /* what the next byte belongs to */
    DATA, COMMENT, BOGUS, NUMBER, PLAIN,
    TITLE, RAW_TEXT, SCRIPT, ESCAPED, TWICE,
    TAG, BEFORE, ATTRIBUTE, AFTER, VALUE, DOUBLE, SINGLE, BARE, /* parts of a tag */
};
enum Special { NONE, IS_SCRIPT, IS_STYLE, IS_RAW, IS_TITLE, IS_PLAIN };
enum {
    SPACE = 1, SLASH = 2, GREATER = 4, EQUAL = 8, /* kinds of bytes in tags */
    AHEAD = 64, /* a token that is left is shorter, and special names as well */
    OPENING = 6, /* bytes that tell what a `<` begins */
    LONG_NUMBER = 40, /* as in text/markup.py */
};

static const uint8_t KINDS[256] = {
    ['\t'] = SPACE, ['\n'] = SPACE, ['\f'] = SPACE, ['\r'] = SPACE, [' '] = SPACE,
    ['/'] = SLASH, ['>'] = GREATER, ['='] = EQUAL,
};

typedef struct {
    const char *name;
    int size;
    enum Special special;
} SpecialName;

static const SpecialName SPECIAL[] = {
    {"script", 6, IS_SCRIPT}, {"style", 5, IS_STYLE}, {"title", 5, IS_TITLE},
    {"textarea", 8, IS_TITLE}, {"iframe", 6, IS_RAW}, {"noframes", 8, IS_RAW},
    {"noembed", 7, IS_RAW}, {"xmp", 3, IS_RAW}, {"plaintext", 9, IS_PLAIN},
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

/* Return the first of a byte, or `end`. */
static inline const uint8_t *find_byte(const uint8_t *at, const uint8_t *end, uint8_t c)
{
    for (const uint8_t *near = end - at > 16 ? at + 16 : end; at < near; at++)
        if (*at == c) return at;
    const uint8_t *found = at < end ? memchr(at, c, end - at) : NULL;
    return found ? found : end;
}

/* Return the size of the character of UTF-8 at a byte from 0x80 on; 0 if it is none, and -1
   if the data end inside it. */
static int read_utf8(const uint8_t *at, const uint8_t *end, uint32_t *character)
{
    uint8_t first = at[0], low = 0x80, high = 0xBF;
    int size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (!size) return 0;
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

/* Take letters and digits of ASCII as a part of a word that may go on. */
static const uint8_t *put_letters(Markup *m, const uint8_t *at, const uint8_t *stop)
{
    WordOut *out = &m->out;
    if (out->kind == ALONE) end_word(out);
    if (out->kind == SEPARATOR) begin_word(out, LETTER, place(m, at));
    for (int count = 8; count == 8 && at < stop; at += count) {
        uint64_t block = load_some(at, stop);
        count = count_letters(block);
        if (count) add_bytes(out, small_letters(block, count), count);
    }
    out->span.stop = place(m, at);
    return at;
}

/* Whether a byte ends a word for sure. A reference may go on with it, as `</>` may. */
static inline int is_end(const uint8_t *at)
{
    return *at < 0x80 && *at != '&' && (*at != '<' || is_letter(at[1]));
}

/* Take text up to `stop`, or to a `<` or `&` if they are special in it; or to a character
   that the data cut. */
static const uint8_t *put_text(Markup *m, const uint8_t *at, const uint8_t *stop,
                               int has_tags, int has_references)
{
    WordOut *out = &m->out;
    while (at < stop) {
        if (stop - at > 16 && out->kind == SEPARATOR) {
            uint64_t block = load_block(at);
            int count = count_letters(block);
            const uint8_t *from = at;
            Lanes lanes = SEEDS;
            while (count == 8 && stop - at > 16) {
                lanes = add_block(lanes, small_letters(block, 8));
                at += 8;
                block = load_block(at);
                count = count_letters(block);
            }
            if (at + count > from && count < 8 && is_end(at + count) && !out->wants) {
                if (count) lanes = add_block(lanes, small_letters(block, count));
                at += count;
                add_word(out, lanes, (Span){0, 0});
                at += *at != '<';
                continue;
            } else {
                at = from;
            }
        }
        uint8_t c = *at;
        if (is_letter(c) || (c >= '0' && c <= '9')) {
            at = put_letters(m, at, stop);
        } else if (c >= 0x80) {
            const uint8_t *behind = put_upper(m, at);
            if (!behind) return at;
            at = behind;
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
            put_character(out, character_of(number), (Span){place(m, at), place(m, behind)});
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
