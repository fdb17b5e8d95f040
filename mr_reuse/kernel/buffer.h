/* A buffer of text that grows: numbers, digests and columns of lines. */

#ifndef BUFFER_H
#define BUFFER_H
#include <Python.h>

#include "base64.h"
#include "head.h"

typedef struct {
    char *data;
    size_t size, room;
} Buffer;

/* Make room for so many bytes. The functions below need room for what they put. */
static int reserve(Buffer *buffer, size_t more)
{
    if (buffer->room - buffer->size >= more) return 1;
    size_t room = 2 * (buffer->size + more);
    char *data = PyMem_Realloc(buffer->data, room);
    if (!data) {
        PyErr_NoMemory();
        return 0;
    }
    buffer->data = data;
    buffer->room = room;
    return 1;
}

static void put(Buffer *buffer, Text text)
{
    if (text.size) memcpy(buffer->data + buffer->size, text.at, text.size);
    buffer->size += text.size;
}

static void put_byte(Buffer *buffer, char byte) { buffer->data[buffer->size++] = byte; }

static void put_number(Buffer *buffer, uint64_t number)
{
    char digits[20];
    int at = sizeof digits;
    do digits[--at] = '0' + number % 10;
    while (number /= 10);
    put(buffer, (Text){digits + at, sizeof digits - at});
}

static void put_hex(Buffer *buffer, const uint8_t *data, size_t size)
{
    static const char HEX[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        put_byte(buffer, HEX[data[i] >> 4]);
        put_byte(buffer, HEX[data[i] & 15]);
    }
}

static void put_base64(Buffer *buffer, const uint8_t *data, size_t size)
{
    buffer->size = encode_base64(buffer->data + buffer->size, data, size) - buffer->data;
}

#endif
