/* The states of the tokenizer, and the names of elements that have states of their own. */

#ifndef STATES_H
#define STATES_H
#include "scan.h"

enum State { /* what the next byte belongs to */
    DATA, COMMENT, BOGUS, NUMBER, PLAIN,
    TITLE, RAW_TEXT, SCRIPT, ESCAPED, TWICE,
    TAG, BEFORE, ATTRIBUTE, AFTER, VALUE, DOUBLE, SINGLE, BARE, /* parts of a tag */
};
enum Special { NONE, IS_SCRIPT, IS_STYLE, IS_RAW, IS_TITLE, IS_PLAIN };
enum { SPACE = 1, SLASH = 2, GREATER = 4, EQUAL = 8 }; /* kinds of bytes in tags */

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

/* Return whether a name is here, and behind it a byte that ends names of tags. */
static int is_named(const uint8_t *at, const uint8_t *end, const SpecialName *name)
{
    if (end - at < name->size + 1) return 0;
    for (int i = 0; i < name->size; i++)
        if ((at[i] | 32) != name->name[i]) return 0;
    return (KINDS[at[name->size]] & (SPACE | SLASH | GREATER)) != 0;
}

static int is_end_tag(const uint8_t *at, const uint8_t *end, const SpecialName *name)
{
    return end - at > 2 && at[1] == '/' && is_named(at + 2, end, name);
}

/* Take a part of a tag; each ends before a byte of some kinds. */
static inline const uint8_t *pass(const uint8_t *at, const uint8_t *end, int kinds)
{
    while (at < end && !(KINDS[*at] & kinds)) at++;
    return at;
}

static inline const uint8_t *pass_all(const uint8_t *at, const uint8_t *end, int kinds)
{
    while (at < end && KINDS[*at] & kinds) at++;
    return at;
}

static const SpecialName *find_special(const uint8_t *name, long size)
{
    /* By the first letter, the sizes of SPECIAL. */
    static const uint16_t SIZES[32] = {
        ['i' & 31] = 1 << 6, ['n' & 31] = 1 << 7 | 1 << 8, ['p' & 31] = 1 << 9,
        ['s' & 31] = 1 << 5 | 1 << 6, ['t' & 31] = 1 << 5 | 1 << 8, ['x' & 31] = 1 << 3,
    };
    if (size > 9 || !(SIZES[name[0] & 31] >> size & 1)) return NULL;
    for (size_t i = 0; i < sizeof SPECIAL / sizeof *SPECIAL; i++) {
        if (SPECIAL[i].size != size || (name[0] | 32) != SPECIAL[i].name[0]) continue;
        long at = 1;
        while (at < size && (name[at] | 32) == SPECIAL[i].name[at]) at++;
        if (at == size) return &SPECIAL[i];
    }
    return NULL;
}

#endif
