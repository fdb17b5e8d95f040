/* The media type of a body, as far as it is certain by its first bytes: the results of
   sniff.py for texts without control characters. */

#ifndef SNIFF_H
#define SNIFF_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SNIFFED = 1024 }; /* bytes that decide, as in sniff.py */

/* Return whether some byte belongs to no text. sniff.py accepts a few of them. */
static int has_control(const uint8_t *data, size_t size)
{
    uint8_t found = 0; /* without a branch, so that the compiler uses vectors */
    for (size_t i = 0; i < size; i++) {
        uint8_t c = data[i];
        found |= (c < 32) & (c != '\t') & (c != '\n') & (c != '\r') & (c != '\f')
            & (c != 27);
        found |= c == 127;
    }
    return found;
}

/* The white space and the words of Python's expressions for bytes. */
static int is_white(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int is_word(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
        || c == '_';
}

/* Return whether a word in lower case stands at `at`, in whichever case. */
static int stands(const uint8_t *at, const uint8_t *end, const char *word)
{
    for (; *word; at++, word++)
        if (at == end || (*at >= 'A' && *at <= 'Z' ? *at | 32 : *at) != (uint8_t)*word)
            return 0;
    return 1;
}

static const uint8_t *skip_white(const uint8_t *at, const uint8_t *end)
{
    while (at < end && is_white(*at)) at++;
    return at;
}

/* Return whether the '<' at `at` begins a tag with which pages begin. */
static int begins_page(const uint8_t *at, const uint8_t *end)
{
    static const char *const TAGS[] = {
        "html", "head", "body", "title", "meta", "script", "style", "table", "frameset",
        "div", "p", "h1", "a", "center", "font", "br", "img", "b"};
    if (stands(at, end, "<!doctype")) {
        const uint8_t *name = skip_white(at + 9, end);
        return name > at + 9 && stands(name, end, "html")
            && (name + 4 == end || !is_word(name[4]));
    }
    const uint8_t *stop = ++at;
    while (stop < end && is_word(*stop)) stop++;
    for (size_t i = 0; i < sizeof TAGS / sizeof *TAGS; i++)
        if ((size_t)(stop - at) == strlen(TAGS[i]) && stands(at, end, TAGS[i])) return 1;
    return 0;
}

/* Return the media type of a document in XML by its first tag. */
static const char *type_of_xml(const uint8_t *at, const uint8_t *end)
{
    for (; at + 1 < end; at++) {
        uint8_t c = at[1];
        if (*at != '<' || !is_word(c) || (c >= '0' && c <= '9')) continue;
        const uint8_t *name = ++at;
        while (at < end && (is_word(*at) || *at == ':' || *at == '.' || *at == '-')) at++;
        size_t size = at - name;
        if (size == 4 && stands(name, end, "html")) return "application/xhtml+xml";
        if ((size == 3 && stands(name, end, "rss"))
            || (size == 7 && stands(name, end, "rdf:rdf")))
            return "application/rss+xml";
        break;
    }
    return "application/xml";
}

/* Return whether bytes begin like a file that is no text, or with a mark of UTF-16. */
static int begins_otherwise(const uint8_t *data, size_t size)
{
    static const struct {
        const char *bytes;
        size_t size;
    } STARTS[] = {
        {"%PDF", 4}, {"GIF8", 4}, {"\x89PNG", 4}, {"\xff\xd8\xff", 3}, {"PK", 2},
        {"\x1f\x8b", 2}, {"RIFF", 4}, {"\x7f""ELF", 4}, {"MZ", 2}, {"OggS", 4},
        {"ID3", 3}, {"BM", 2}, {"\xca\xfe\xba\xbe", 4}, {"wOFF", 4}, {"wOF2", 4},
        {"\0\0\1", 3}, {"7z\xbc\xaf", 4}, {"BZh", 3}, {"\x28\xb5\x2f\xfd", 4},
        {"\xfd""7zXZ", 5}, {"\xff\xfe", 2}, {"\xfe\xff", 2},
    };
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
        if (size >= STARTS[i].size && !memcmp(data, STARTS[i].bytes, STARTS[i].size))
            return 1;
    return 0;
}

/* Return the media type of a body; "" if sniff.py has to decide. */
static const char *certain_type(const uint8_t *body, size_t size)
{
    const uint8_t *at = body, *end = body + (size < SNIFFED ? size : SNIFFED);
    if (at == end || has_control(at, end - at) || begins_otherwise(at, end - at)) return "";
    if (end - at >= 3 && !memcmp(at, "\xef\xbb\xbf", 3)) at += 3;
    at = skip_white(at, end);
    if (stands(at, end, "<?xml")) return type_of_xml(at, end);
    while (stands(at, end, "<!--")) {
        for (at += 4; end - at >= 3 && memcmp(at, "-->", 3); at++);
        if (end - at < 3) return "text/plain";
        at = skip_white(at + 3, end);
    }
    return at < end && *at == '<' && begins_page(at, end) ? "text/html" : "text/plain";
}

#endif
