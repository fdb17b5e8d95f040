/* The WHATWG HTML tokenizer, as in text/markup.py.

   A page may come in parts that end anywhere. Long tokens have states of their own. A short
   one that a part cuts is left, and comes again in front of the next part. */

#ifndef MARKUP_H
#define MARKUP_H
#include "page_text.h"

/* The state behind a tag, which separates words. */
static void finish_tag(Markup *m)
{
    static const enum State AFTER_TAG[] = {
        [NONE] = DATA, [IS_SCRIPT] = SCRIPT, [IS_STYLE] = RAW_TEXT, [IS_RAW] = RAW_TEXT,
        [IS_TITLE] = TITLE, [IS_PLAIN] = PLAIN,
    };
    end_word(&m->out);
    m->state = m->name && !m->is_end_tag ? AFTER_TAG[m->name->special] : DATA;
}

/* Pass over attributes with quoted values, as long as each name is short and its `=` and
   quote follow at once. */
static const uint8_t *pass_quoted(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= SCANNED) {
        Sixteen bytes = load_sixteen(at);
        uint32_t equal = equal_to(bytes, '='), quotes = equal_to(bytes, '"');
        quotes |= equal_to(bytes, '\'');
        uint32_t ends = quotes | equal_to(bytes, '>');
        if (!ends) break;
        int size = __builtin_ctz(ends);
        if (!(quotes >> size & 1)) return at + size;
        uint32_t others = (equal | equal_to(bytes, '/')) & ((1u << size) - 1);
        if (size < 2 || others != 1u << (size - 1) || at[size - 1] != '='
            || KINDS[at[size - 2]])
            break;
        const uint8_t *close = find_byte(at + size + 1, end, at[size]);
        if (close == end) break;
        at = close + 1;
    }
    return at;
}

/* Take the rest of a tag, or as much of it as there is. */
static const uint8_t *put_tag(Markup *m, const uint8_t *at)
{
    const uint8_t *end = m->end;
    enum State state = m->state;
    while (at < end) {
        switch (state) {
        case TAG:
            at = pass(at, end, SPACE | SLASH | GREATER);
            state = at < end ? BEFORE : TAG;
            break;
        case BEFORE:
            at = pass_quoted(at, end);
            at = pass_all(at, end, SPACE | SLASH);
            if (at == end) break;
            if (*at == '>') {
                finish_tag(m);
                return at + 1;
            }
            at += *at == '=';
            state = ATTRIBUTE;
            break;
        case ATTRIBUTE:
            at = pass(at, end, SPACE | SLASH | GREATER | EQUAL);
            if (at == end) break;
            state = *at == '=' ? VALUE : KINDS[*at] == SPACE ? AFTER : BEFORE;
            at += *at == '=';
            break;
        case AFTER:
            at = pass_all(at, end, SPACE);
            if (at == end) break;
            state = *at == '=' ? VALUE : BEFORE;
            at += *at == '=';
            break;
        case VALUE:
            at = pass_all(at, end, SPACE);
            if (at == end) break;
            state = *at == '"' ? DOUBLE : *at == '\'' ? SINGLE : *at == '>' ? BEFORE : BARE;
            at += state == DOUBLE || state == SINGLE;
            break;
        case DOUBLE:
        case SINGLE:
            at = find_byte(at, end, state == DOUBLE ? '"' : '\'');
            if (at == end) break;
            at++;
            state = BEFORE;
            break;
        default: /* BARE */
            at = pass(at, end, SPACE | GREATER);
            state = at < end ? BEFORE : BARE;
        }
    }
    m->state = state;
    return at;
}

/* Take a usual tag far from the end of the data; return NULL if it is another. */
static inline const uint8_t *put_usual_tag(Markup *m, const uint8_t *at)
{
    int is_end = at[1] == '/';
    const uint8_t *name = at + 1 + is_end;
    uint32_t others = ~letters_in(load_sixteen(name));
    int size = __builtin_ctz(others);
    const uint8_t *behind = name + size;
    if (!size || !is_letter(*name)) return NULL;
    if (*behind == ' ') behind = pass_quoted(behind, m->end);
    if (*behind != '>' || (!is_end && find_special(name, size))) return NULL;
    end_word(&m->out);
    return behind + 1;
}

/* Begin what begins with a `<`; return the same place if the data may cut it. */
static const uint8_t *open_token(Markup *m, const uint8_t *at)
{
    const uint8_t *end = m->end;
    long left = end - at;
    if (left < OPENING && !m->is_last) return at;
    uint8_t second = left > 1 ? at[1] : 0;
    m->is_end_tag = second == '/';
    const uint8_t *name = at + 1 + m->is_end_tag;
    if (name < end && is_letter(*name)) {
        const uint8_t *behind = name;
        if (end - name >= SCANNED)
            behind += __builtin_ctz(~letters_in(load_sixteen(name)));
        behind = pass(behind, end, SPACE | SLASH | GREATER);
        if (behind == end && left < AHEAD && !m->is_last) return at;
        m->name = m->is_end_tag ? NULL : find_special(name, behind - name);
        m->state = behind == end ? TAG : BEFORE;
        return put_tag(m, behind);
    }
    if (left >= 4 && !memcmp(at, "<!--", 4)) {
        end_word(&m->out);
        at += 4;
        if (at < end && *at == '>') return at + 1;
        if (end - at > 1 && at[0] == '-' && at[1] == '>') return at + 2;
        m->state = COMMENT;
        return at;
    }
    if (m->is_end_tag && left > 2 && at[2] == '>') return at + 3;
    if (second == '!' || second == '?' || (m->is_end_tag && left > 2)) {
        end_word(&m->out);
        m->state = BOGUS;
        return at + 2;
    }
    end_word(&m->out);
    return at + 1;
}

/* Pass over a comment; its end may overlap with the end of the data. */
static const uint8_t *pass_comment(Markup *m, const uint8_t *from)
{
    const uint8_t *at = from, *end = m->end;
    for (; (at = find_byte(at, end, '>')) < end; at++) {
        long size = at - from;
        if ((size >= 2 && at[-1] == '-' && at[-2] == '-')
            || (size >= 3 && at[-1] == '!' && at[-2] == '-' && at[-3] == '-')) {
            m->state = DATA;
            return at + 1;
        }
    }
    return m->is_last ? end : end - from > 3 ? end - 3 : from;
}

/* Take the `<` of text that an end tag ends, and the end tag if it is this. */
static const uint8_t *put_less_than(Markup *m, const uint8_t *at)
{
    if (m->end - at < AHEAD && !m->is_last) return at;
    if (!is_end_tag(at, m->end, m->name)) {
        end_word(&m->out);
        return at + 1;
    }
    m->is_end_tag = 1;
    m->state = BEFORE;
    return put_tag(m, at + 2 + m->name->size);
}

/* Take text up to a `<` or, in a comment of a script, to a `-`, and what these begin. */
static const uint8_t *put_script(Markup *m, const uint8_t *at)
{
    const uint8_t *end = m->end, *stop = at;
    if (m->state == SCRIPT)
        stop = find_byte(at, end, '<');
    else
        while (stop < end && *stop != '<' && *stop != '-') stop++;
    at = m->keeps_scripts ? put_text(m, at, stop, 0, 0) : stop;
    if (at < stop || at == end) return at;
    long left = end - at;
    if (left < AHEAD && !m->is_last) return at;
    if (m->state == SCRIPT && left >= 4 && !memcmp(at, "<!--", 4)) {
        m->state = ESCAPED;
        end_word(&m->out);
        return at + 2; /* the dashes may be of the end as well */
    }
    if (*at == '-') {
        if (left >= 3 && !memcmp(at, "-->", 3)) m->state = SCRIPT;
    } else if (m->state == TWICE) {
        if (is_end_tag(at, end, m->name)) m->state = ESCAPED;
    } else if (m->state == ESCAPED && is_named(at + 1, end, m->name)) {
        m->state = TWICE;
    } else {
        return put_less_than(m, at);
    }
    end_word(&m->out);
    return at + 1;
}

/* Take text and usual tags, up to something else. */
static const uint8_t *put_data(Markup *m, const uint8_t *at)
{
    for (;;) {
        if (m->out.kind == SEPARATOR && !(m->out.wants & OFFSETS))
            at = put_words(&m->out, at, m->end);
        if (m->end - at < AHEAD || *at != '<') at = put_text(m, at, m->end, 1, 1);
        if (m->end - at < AHEAD || *at != '<') return at;
        const uint8_t *behind = put_usual_tag(m, at);
        if (!behind) return at;
        at = behind;
    }
}

/* Take what the state holds: the same place and state mean that more data are needed. */
static const uint8_t *put_some(Markup *m, const uint8_t *at)
{
    const uint8_t *end = m->end, *behind;
    switch (m->state) {
    case DATA:
        at = put_data(m, at);
        if (at == end) return at;
        if (*at == '<') return open_token(m, at);
        behind = *at == '&' ? put_reference(m, at) : at;
        return behind ? behind : at;
    case TITLE:
        at = put_text(m, at, end, 1, 1);
        if (at == end) return at;
        if (*at == '<') return put_less_than(m, at);
        behind = *at == '&' ? put_reference(m, at) : at;
        return behind ? behind : at;
    case RAW_TEXT:
        if (m->keeps_scripts || m->name->special != IS_STYLE)
            at = put_text(m, at, end, 1, 0);
        else
            at = find_byte(at, end, '<');
        return at < end && *at == '<' ? put_less_than(m, at) : at;
    case COMMENT:
        return pass_comment(m, at);
    case BOGUS:
        at = find_byte(at, end, '>');
        if (at == end) return at;
        m->state = DATA;
        return at + 1;
    case NUMBER:
        return put_number(m, at);
    case PLAIN:
        return put_text(m, at, end, 0, 0);
    case SCRIPT:
    case ESCAPED:
    case TWICE:
        return put_script(m, at);
    default:
        return put_tag(m, at);
    }
}

/* Take a part of a page; return what is left of it. */
static const uint8_t *put_part(Markup *m)
{
    const uint8_t *at = m->data;
    while (at < m->end) {
        const uint8_t *from = at;
        enum State state = m->state;
        at = put_some(m, at);
        if (at == from && m->state == state) break;
    }
    if (m->is_last) end_word(&m->out);
    return at;
}

#endif
