/* The search for charsets in `meta` tags, as in text/meta_charset.py. */

#ifndef META_H
#define META_H
#include "scan.h"

typedef struct {
    const uint8_t *at;
    long size; /* -1 for none */
} Label;

static int is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v');
}

static const uint8_t *pass_spaces(const uint8_t *at, const uint8_t *end)
{
    while (at < end && is_space(*at)) at++;
    return at;
}

/* Return whether a word in small letters begins here, in any letters. */
static int begins(const uint8_t *at, const uint8_t *end, const char *word)
{
    for (; *word; at++, word++)
        if (at == end || (*at >= 'A' && *at <= 'Z' ? *at | 32 : *at) != *word) return 0;
    return 1;
}

static int is_word(Label label, const char *word)
{
    return label.size == (long)strlen(word) && begins(label.at, label.at + label.size, word);
}

/* Return the label in the value of `content`. */
static Label label_in(Label content)
{
    const uint8_t *at = content.at, *end = at + content.size;
    for (; end - at >= 7; at++) {
        if (!begins(at, end, "charset")) continue;
        const uint8_t *value = pass_spaces(at + 7, end);
        if (value == end || *value != '=') continue;
        value = pass_spaces(value + 1, end);
        if (value == end) break;
        if (*value == '"' || *value == '\'') {
            const uint8_t *close = find_byte(value + 1, end, *value);
            if (close == end) break;
            return (Label){value + 1, close - value - 1};
        }
        const uint8_t *behind = value;
        while (behind < end && *behind != ';' && !is_space(*behind)) behind++;
        return (Label){value, behind - value};
    }
    return (Label){NULL, -1};
}

/* Take an attribute; return what is behind it, or NULL if the bytes end in it. Its name is
   empty behind the last one. */
static const uint8_t *take_attribute(const uint8_t *at, const uint8_t *end, Label *name,
                                     Label *value)
{
    while (at < end && (is_space(*at) || *at == '/')) at++;
    const uint8_t *start = at;
    *value = (Label){at, 0};
    while (at < end && !is_space(*at) && *at != '/' && *at != '>'
           && (*at != '=' || at == start))
        at++;
    *name = (Label){start, at - start};
    if (at == end) return NULL;
    if (at == start) return at;
    const uint8_t *equal = pass_spaces(at, end);
    if (equal == end) return NULL;
    if (*equal != '=') return at;
    at = pass_spaces(equal + 1, end);
    if (at == end) return NULL;
    if (*at == '"' || *at == '\'') {
        const uint8_t *close = find_byte(at + 1, end, *at);
        *value = (Label){at + 1, close - at - 1};
        return close < end ? close + 1 : NULL;
    }
    start = at;
    while (at < end && !is_space(*at) && *at != '>') at++;
    *value = (Label){start, at - start};
    return at < end ? at : NULL;
}

/* Take the attributes of a tag, and set the label that they declare. */
static const uint8_t *take_attributes(const uint8_t *at, const uint8_t *end, Label *label)
{
    Label none = {NULL, -1}, name, value, charset = none, content = none, pragma = none;
    while ((at = take_attribute(at, end, &name, &value)) && name.size) {
        if (charset.size < 0 && is_word(name, "charset")) charset = value;
        if (content.size < 0 && is_word(name, "content")) content = value;
        if (pragma.size < 0 && is_word(name, "http-equiv")) pragma = value;
    }
    *label = charset;
    if (charset.size < 0 && is_word(pragma, "content-type")) *label = label_in(content);
    return at ? at + 1 : NULL;
}

/* Return the place behind that which begins with the `<` at a place, NULL if the bytes end
   before. Set the label if it is a `meta` tag that declares one. */
static const uint8_t *take_tag(const uint8_t *at, const uint8_t *end, Label *label)
{
    long left = end - at;
    label->size = -1;
    if (left >= 4 && !memcmp(at, "<!--", 4)) {
        for (at += 2; end - at >= 3; at++)
            if (!memcmp(at, "-->", 3)) return at + 3;
        return NULL;
    }
    if (left >= 6 && begins(at, end, "<meta")
        && (is_space(at[5]) || at[5] == '/'))
        return take_attributes(at + 5, end, label);
    const uint8_t *name = at + 1 + (left > 1 && at[1] == '/');
    if (name < end && is_letter(*name)) {
        Label ignored;
        while (name < end && !is_space(*name) && *name != '>') name++;
        return take_attributes(name, end, &ignored);
    }
    if (left > 1 && (at[1] == '!' || at[1] == '/' || at[1] == '?')) {
        at = find_byte(at, end, '>');
        return at < end ? at + 1 : NULL;
    }
    return at + 1;
}

#endif
