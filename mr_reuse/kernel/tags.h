/* The noise of tags, as in text/page_tags.py: the tags that the tokenizer of markup.h reads,
   without their attributes. Text is passed over. */

#ifndef TAGS_H
#define TAGS_H
#include "fingerprint.h"
#include "states.h"

enum { LOOKED_AT = 16 }; /* bytes that tell what begins, or what ends a text */

typedef struct {
    Printer *printer;
    enum State state;
    const SpecialName *name; /* of the element that holds the text */
    int is_end_tag, closes, is_last;
    uint8_t first[LOOKED_AT]; /* bytes of the name */
    size_t size;              /* of the name */
    int is_open;              /* a tag goes on */
    size_t opened;            /* where its noise begins, if it all waits */
    int has_before;           /* some does not wait */
    Least before;             /* what was known before the tag, with the noise that waited */
    uint8_t noise[LONGEST_GRAM];
    size_t noise_size;
    uint8_t left[LOOKED_AT]; /* bytes that were not read yet */
    size_t left_size;
} Tags;

/* Offer noise. If a tag is open, keep the state before it, since it may not end. */
static void keep_open(Tags *t)
{
    Printer *p = t->printer;
    if (t->is_open && !t->has_before) {
        size_t before = p->size;
        offer_noise(p, t->opened);
        t->opened -= before - p->size;
        t->before = p->page, t->has_before = 1;
        t->noise_size = t->opened;
        memcpy(t->noise, p->noise, t->opened);
    }
    offer_noise(p, p->size);
}

static inline void put_noise(Tags *t, uint8_t byte)
{
    if (!room_of(t->printer)) keep_open(t);
    t->printer->noise[t->printer->size++] = byte;
}

static void begin_tag(Tags *t, int is_end_tag)
{
    t->is_end_tag = is_end_tag, t->closes = 0, t->size = 0;
    t->is_open = 1, t->has_before = 0;
    t->opened = t->printer->size;
    put_noise(t, '<');
    if (is_end_tag) put_noise(t, '/');
}

static void put_name(Tags *t, uint8_t byte)
{
    if (t->size < LOOKED_AT) t->first[t->size] = byte;
    t->size++;
    if (byte) {
        put_noise(t, byte >= 'A' && byte <= 'Z' ? byte | 32 : byte);
    } else { /* U+FFFD */
        put_noise(t, 0xEF), put_noise(t, 0xBF), put_noise(t, 0xBD);
    }
}

static void end_tag(Tags *t)
{
    static const enum State AFTER_TAG[] = {
        [NONE] = DATA, [IS_SCRIPT] = SCRIPT, [IS_STYLE] = RAW_TEXT, [IS_RAW] = RAW_TEXT,
        [IS_TITLE] = RAW_TEXT, [IS_PLAIN] = PLAIN,
    };
    if (t->closes) put_noise(t, '/');
    put_noise(t, '>');
    t->is_open = t->has_before = 0;
    t->state = DATA;
    if (t->is_end_tag || t->size > LOOKED_AT) return;
    t->name = find_special(t->first, t->size);
    if (t->name) t->state = AFTER_TAG[t->name->special];
}

/* Take the rest of a tag, or as much of it as there is. */
static const uint8_t *put_parts(Tags *t, const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        uint8_t c = *at;
        switch (t->state) {
        case TAG:
            for (; at < end && !(KINDS[*at] & (SPACE | SLASH | GREATER)); at++)
                put_name(t, *at);
            if (at < end) t->state = BEFORE;
            continue;
        case BEFORE:
            if (c == '>') {
                end_tag(t);
                return at + 1;
            }
            t->closes = c == '/';
            if (KINDS[c] & (SPACE | SLASH)) break;
            t->closes = 0;
            t->state = ATTRIBUTE;
            if (c == '=') break;
            continue;
        case ATTRIBUTE:
            at = pass(at, end, SPACE | SLASH | GREATER | EQUAL);
            if (at == end) return at;
            t->state = *at == '=' ? VALUE : KINDS[*at] == SPACE ? AFTER : BEFORE;
            at += *at == '=';
            continue;
        case AFTER:
            at = pass_all(at, end, SPACE);
            if (at == end) return at;
            t->state = *at == '=' ? VALUE : BEFORE;
            at += *at == '=';
            continue;
        case VALUE:
            at = pass_all(at, end, SPACE);
            if (at == end) return at;
            t->state = *at == '"' ? DOUBLE : *at == '\'' ? SINGLE : *at == '>' ? BEFORE : BARE;
            at += t->state == DOUBLE || t->state == SINGLE;
            continue;
        case DOUBLE:
        case SINGLE:
            at = find_byte(at, end, t->state == DOUBLE ? '"' : '\'');
            if (at == end) return at;
            t->state = BEFORE;
            break;
        default: /* BARE */
            at = pass(at, end, SPACE | GREATER);
            if (at < end) t->state = BEFORE;
            continue;
        }
        at++;
    }
    return at;
}

/* Begin what begins with a `<`. */
static const uint8_t *open_tag(Tags *t, const uint8_t *at, const uint8_t *end)
{
    long left = end - at;
    int is_end_tag = left > 1 && at[1] == '/';
    const uint8_t *name = at + 1 + is_end_tag;
    if (name < end && is_letter(*name)) {
        begin_tag(t, is_end_tag);
        t->state = TAG;
        return name;
    }
    if (left >= 4 && !memcmp(at, "<!--", 4)) {
        at += 4;
        if (at < end && *at == '>') return at + 1;
        if (end - at > 1 && at[0] == '-' && at[1] == '>') return at + 2;
        t->state = COMMENT;
        return at;
    }
    if (is_end_tag && left > 2 && at[2] == '>') return at + 3;
    if (left > 1 && (at[1] == '!' || at[1] == '?' || (is_end_tag && left > 2))) {
        t->state = BOGUS;
        return at + 2;
    }
    return at + 1;
}

/* Pass over one byte of a text, or take the end tag that begins there. */
static const uint8_t *end_text(Tags *t, const uint8_t *at, const uint8_t *end)
{
    if (!is_end_tag(at, end, t->name)) return at + 1;
    begin_tag(t, 1);
    for (int i = 0; i < t->name->size; i++) put_name(t, t->name->name[i]);
    t->state = BEFORE;
    return at + 2 + t->name->size;
}

/* Take a `<` or `-` of a script. */
static const uint8_t *pass_script(Tags *t, const uint8_t *at, const uint8_t *end)
{
    long left = end - at;
    if (t->state == SCRIPT && left >= 4 && !memcmp(at, "<!--", 4)) {
        t->state = ESCAPED;
        return at + 2; /* the dashes may be of the end as well */
    }
    if (*at == '-') {
        if (left >= 3 && !memcmp(at, "-->", 3)) t->state = SCRIPT;
    } else if (t->state == TWICE) {
        if (is_end_tag(at, end, t->name)) t->state = ESCAPED;
    } else if (t->state == ESCAPED && is_named(at + 1, end, t->name)) {
        t->state = TWICE;
    } else {
        return end_text(t, at, end);
    }
    return at + 1;
}

/* Return whether a `>` ends a comment that began before `from`. */
static int ends_comment(const uint8_t *from, const uint8_t *at)
{
    long size = at - from;
    return (size >= 2 && at[-1] == '-' && at[-2] == '-')
           || (size >= 3 && at[-1] == '!' && at[-2] == '-' && at[-3] == '-');
}

/* Take what the state holds; the same place and state mean that more is needed. */
static const uint8_t *put_token(Tags *t, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *from = at;
    switch (t->state) {
    case COMMENT:
        for (; (at = find_byte(at, end, '>')) < end; at++)
            if (ends_comment(from, at)) {
                t->state = DATA;
                return at + 1;
            }
        return t->is_last ? end : end - from > 3 ? end - 3 : from;
    case BOGUS:
        at = find_byte(at, end, '>');
        if (at == end) return at;
        t->state = DATA;
        return at + 1;
    case PLAIN:
        return end;
    case DATA:
    case RAW_TEXT:
    case SCRIPT:
        at = find_byte(at, end, '<');
        break;
    case ESCAPED:
    case TWICE:
        while (at < end && *at != '<' && *at != '-') at++;
        break;
    default:
        return put_parts(t, at, end);
    }
    if (at == end || (end - at < LOOKED_AT && !t->is_last)) return at;
    if (t->state == DATA) return open_tag(t, at, end);
    return t->state == RAW_TEXT ? end_text(t, at, end) : pass_script(t, at, end);
}

/* Take bytes; return what is left of them, less than LOOKED_AT. */
static const uint8_t *put_tokens(Tags *t, const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        const uint8_t *from = at;
        enum State state = t->state;
        at = put_token(t, at, end);
        if (at == from && t->state == state) break;
    }
    return at;
}

/* Add the tags of a part of a body; none of it is left if it is the last. */
static void add_tags(Tags *t, const uint8_t *bytes, size_t count, int is_last)
{
    const uint8_t *end = bytes + count;
    t->is_last = 0;
    if (t->left_size) {
        uint8_t both[4 * LOOKED_AT];
        size_t some = sizeof both - t->left_size < count ? sizeof both - t->left_size : count;
        memcpy(both, t->left, t->left_size);
        memcpy(both + t->left_size, bytes, some);
        size_t size = t->left_size + some;
        t->is_last = is_last && some == count;
        size_t came = put_tokens(t, both, both + size) - both;
        if (some == count) {
            t->left_size = size - came;
            memcpy(t->left, both + came, t->left_size);
            return;
        }
        bytes += came - t->left_size;
    }
    t->is_last = is_last;
    bytes = put_tokens(t, bytes, end);
    t->left_size = end - bytes;
    memcpy(t->left, bytes, t->left_size);
}

static void start_tags(Tags *t, Printer *printer)
{
    memset(t, 0, sizeof *t);
    t->printer = printer;
    t->state = DATA;
}

/* End a body: a tag that is open is none. */
static void end_tags(Tags *t)
{
    Printer *p = t->printer;
    add_tags(t, t->left, 0, 1);
    if (!t->is_open) return;
    if (t->has_before) {
        p->page = t->before;
        p->size = t->noise_size;
        memcpy(p->noise, t->noise, t->noise_size);
    } else {
        p->size = t->opened;
    }
}

#endif
