/* The headers of ordinary records: a WARC header, and that of the HTTP message in the
   record. The results are those of framing.py and payload.py. For any unusual header,
   these functions give up, and Python reads it. */

#ifndef HEAD_H
#define HEAD_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const char *at;
    size_t size;
} Text;

enum {
    TYPE, URL, DATE, IP, LENGTH, CONTENT_TYPE, RECORD_ID, PAYLOAD_DIGEST, TRUNCATED,
    FIELDS
};

typedef struct {
    Text fields[FIELDS];
    uint64_t start, length; /* of the block */
    int status;           /* -1: no HTTP message, or an unusual one */
    size_t body;          /* offset in the block; valid if there is a status */
    Text content_type;    /* of the message; valid if there is a status */
} Head;

enum {
    MAX_HEAD = 1 << 20, /* bytes of an HTTP header, as in payload.py */
    MAX_VALUE = 1000,   /* bytes of the last three fields, as in headers.py */
};

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_blank(char c) { return c == ' ' || c == '\t'; }
static int is_space(char c) { return is_blank(c) || c == '\v' || c == '\f'; }

/* Return whether a text begins with a word, ignoring case. The word is in lower case. */
static int begins(Text text, const char *word)
{
    const char *end = text.at + text.size;
    for (const char *at = text.at; *word; at++, word++) {
        if (at == end || (*at >= 'A' && *at <= 'Z' ? *at | 32 : *at) != *word) return 0;
    }
    return 1;
}

/* Return whether a text begins with "WARC/1.0" or another version, a line end, and the
   name of a field. */
static int is_warc(Text text)
{
    const char *at = text.at + 5, *end = text.at + text.size;
    if (text.size < 12 || memcmp(text.at, "WARC/", 5) || !is_digit(*at) || at[1] != '.')
        return 0;
    for (at += 2; at < end && is_digit(*at); at++);
    if (at == text.at + 7) return 0;
    while (at < end && is_blank(*at)) at++;
    at += at < end && *at == '\r';
    if (at == end || *at++ != '\n') return 0;
    const char *name = at;
    while (at < end && *at > ' ' && *at <= '~' && *at != ':') at++;
    if (at == name) return 0;
    while (at < end && is_blank(*at)) at++;
    return at < end && *at == ':';
}

/* Get the value of a field up to the end of its line. Return 0 for another field. */
static int value_of(Text line, const char *name, Text *value)
{
    if (!begins(line, name)) return 0;
    const char *at = line.at + strlen(name), *end = line.at + line.size;
    while (at < end && is_blank(*at)) at++;
    if (at == end || *at++ != ':') return 0;
    const char *stop = memchr(at, '\r', end - at);
    *value = (Text){at, (stop ? stop : end) - at};
    return 1;
}

static Text strip(Text text)
{
    for (; text.size && is_space(*text.at); text.at++, text.size--);
    for (; text.size && is_space(text.at[text.size - 1]); text.size--);
    return text;
}

static Text unbracket(Text text)
{
    int is_bracketed = text.size > 1 && text.at[0] == '<' && text.at[text.size - 1] == '>';
    return is_bracketed ? (Text){text.at + 1, text.size - 2} : text;
}

/* Read a number of up to 18 digits, which fits into 64 bits, with blanks around it. */
static int read_length(Text text, uint64_t *length)
{
    *length = 0;
    for (; text.size && is_blank(*text.at); text.at++, text.size--);
    for (; text.size && is_blank(text.at[text.size - 1]); text.size--);
    if (!text.size || text.size > 18) return 0;
    for (size_t i = 0; i < text.size; i++) {
        if (!is_digit(text.at[i])) return 0;
        *length = *length * 10 + (text.at[i] - '0');
    }
    return 1;
}

/* Return the first line of a text, and remove it from the text. */
static Text next_line(Text *text)
{
    const char *end = memchr(text->at, '\n', text->size);
    size_t size = end ? (size_t)(end - text->at) : text->size;
    Text line = {text->at, size};
    size += end != NULL;
    *text = (Text){text->at + size, text->size - size};
    return line;
}

/* Return the empty line after a header; NULL if there is none. */
static const char *end_of_header(Text text)
{
    const char *at = text.at + 1, *last = text.at + text.size - 2;
    for (; at < last && (at = memchr(at, '\n', last - at)); at++)
        if (at[-1] == '\r' && at[1] == '\r' && at[2] == '\n') return at - 1;
    return NULL;
}

/* Read status, body and type of an HTTP message. The status stays -1 for a message with
   encodings. */
static void read_message(Head *head, Text text)
{
    const char *first = text.at, *at = first + 6;
    if (text.size < 12 || memcmp(first, "HTTP/", 5) || !is_digit(first[5])) return;
    const char *end = first + text.size;
    if (*at == '.' && is_digit(at[1])) at += 2;
    if (!is_blank(*at)) return;
    while (at < end && is_blank(*at)) at++;
    if (end - at < 3 || !is_digit(*at) || !is_digit(at[1]) || !is_digit(at[2])) return;
    int status = (at[0] - '0') * 100 + (at[1] - '0') * 10 + at[2] - '0';
    if (text.size > MAX_HEAD) text.size = MAX_HEAD;
    next_line(&text);
    while (text.size) {
        Text line = next_line(&text), value;
        /* An empty line with a line feed ends the header. Without one, the text ends. */
        if (text.at[-1] == '\n' && (!line.size || (line.size == 1 && *line.at == '\r'))) {
            head->status = status;
            head->body = text.at - first;
            return;
        }
        if (line.size && is_blank(*line.at)) return; /* continues the line before */
        if (value_of(line, "transfer-encoding", &value)) return;
        if (value_of(line, "content-encoding", &value)) return;
        if (!value_of(line, "content-type", &value)) continue;
        if (head->content_type.at) return; /* two of them: payload.py decides */
        head->content_type = value;
    }
}

/* Read the header of a record. It is alone in a text, or others follow. Return 0 if the
   header is unusual, or if the text ends before the record. */
static inline int read_head(Head *head, Text text, int is_alone)
{
    static const char *const NAMES[FIELDS] = {
        "warc-type", "warc-target-uri", "warc-date", "warc-ip-address", "content-length",
        "content-type", "warc-record-id", "warc-payload-digest", "warc-truncated"};
    *head = (Head){.status = -1};
    if (!is_warc(text)) return 0;
    const char *end = end_of_header(text);
    if (!end) return 0;
    Text left = {text.at, end - text.at};
    next_line(&left);
    while (left.size) {
        Text line = next_line(&left);
        if (line.size && is_blank(*line.at)) return 0; /* continues the line before */
        for (int i = 0; i < FIELDS; i++) {
            Text value;
            if (head->fields[i].at || !value_of(line, NAMES[i], &value)) continue;
            head->fields[i] = value;
            break;
        }
    }
    if (!head->fields[LENGTH].at || !read_length(head->fields[LENGTH], &head->length))
        return 0;
    head->start = end + 4 - text.at;
    uint64_t behind = text.size - head->start;
    if (is_alone ? behind != head->length + 4 : behind < head->length + 4) return 0;
    if (memcmp(text.at + head->start + head->length, "\r\n\r\n", 4)) return 0;
    for (int i = 0; i < FIELDS; i++) head->fields[i] = strip(head->fields[i]);
    head->fields[URL] = unbracket(head->fields[URL]);
    head->fields[RECORD_ID] = unbracket(head->fields[RECORD_ID]);
    for (int i = RECORD_ID; i < FIELDS; i++)
        if (head->fields[i].size > MAX_VALUE) head->fields[i].size = 0;
    Text type = head->fields[TYPE];
    if (type.size == 8 && begins(type, "response"))
        read_message(head, (Text){text.at + head->start, head->length});
    return 1;
}

#endif
