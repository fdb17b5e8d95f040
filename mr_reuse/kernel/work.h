/* What the methods of Cutter share: the messages to hash in a call. */

#ifndef WORK_H
#define WORK_H
#include <Python.h>

#include "cut.h"
#include "hash.h"

#define LEAST 8192 /* initial room, in messages; a megabyte of pages has half as many */

typedef struct {
    PyObject_HEAD
    Delimiters delimiters;
    int size; /* of a digest; 0 until `init` has run */
} Cutter;

/* The memory of a single call. */
typedef struct {
    Message *messages;
    uint32_t *order;
    uint8_t *digests;
    /* Two numbers for each page: the first message of its body, and that of its chunks.
       One more at the end is the number of messages. */
    size_t *bounds;
    size_t count, room;
    int size;
} Work;

int make_room(Work *work, size_t room);
void free_work(Work *work);
int add_message(Work *work, const uint8_t *data, size_t length);

/* Add the chunks of a text. */
int add_chunks(Work *work, const Delimiters *delimiters, const uint8_t *at, size_t size);

/* page_lines.c */
extern const char lines_doc[];
PyObject *lines_of(Cutter *self, PyObject *args);

#endif
