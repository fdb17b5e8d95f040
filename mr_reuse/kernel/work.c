/* The messages of a call, and the chunks of texts among them. */

#include "work.h"

int make_room(Work *work, size_t room)
{
    Message *messages = PyMem_Realloc(work->messages, room * sizeof *messages);
    if (messages) work->messages = messages;
    uint32_t *order = PyMem_Realloc(work->order, room * sizeof *order);
    if (order) work->order = order;
    uint8_t *digests = PyMem_Realloc(work->digests, room * work->size);
    if (digests) work->digests = digests;
    if (!messages || !order || !digests) {
        PyErr_NoMemory();
        return 0;
    }
    work->room = room;
    return 1;
}

void free_work(Work *work)
{
    PyMem_Free(work->messages);
    PyMem_Free(work->order);
    PyMem_Free(work->digests);
    PyMem_Free(work->bounds);
}

int add_message(Work *work, const uint8_t *data, size_t length)
{
    if (work->count == work->room && !make_room(work, 2 * work->room)) return 0;
    work->messages[work->count++] = (Message){data, length};
    return 1;
}

int add_chunks(Work *work, const Delimiters *delimiters, const uint8_t *at, size_t size)
{
    if (size > UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "a text of more than 4 GB");
        return 0;
    }
    if (!size) return 1; /* `at` may be NULL then */
    const uint8_t *end = at + size;
    while (at < end) {
        const uint8_t *next = next_delimiter(delimiters, at + 1, end);
        if (!add_message(work, at, next - at)) return 0;
        at = next;
    }
    return 1;
}
