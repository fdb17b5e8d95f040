/* The lines of ordinary pages: what archives/raw_items.py and chunks/hasher.py make of a
   record, without an object of Python for each of its fields. */

#include "buffer.h"
#include "head.h"
#include "sniff.h"
#include "types.h"
#include "work.h"

enum { MOST_ROWS = 16000 }; /* of a line, as in page_lines.py */

typedef struct {
    Text offset, type; /* as in the tuple */
    Head head;
    const uint8_t *body;
    size_t size;
    size_t line, key, end; /* in the buffer: a key, and its value from `key` on */
} Page;

/* Find the body of a record. Return 0 if make_item would look closer at it. */
static int find_body(Page *page, Text member)
{
    Text type = page->head.fields[TYPE];
    uint64_t before = 0;
    if (type.size == 8 && begins(type, "response")) {
        if (page->head.status < 0) return 0;
        before = page->head.body;
    } else if (!(type.size == 8 && begins(type, "resource"))
               && !(type.size == 10 && begins(type, "conversion"))) {
        return 0;
    }
    page->body = (const uint8_t *)member.at + page->head.start + before;
    page->size = page->head.length - before;
    return 1;
}

/* Return whether a text has only printable characters of ASCII, from `least` on. */
static int is_printable(Text text, char least)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.at[i] < least || text.at[i] > '~') return 0;
    return 1;
}

/* Read the header of a member, or of what the tuple says is one. */
static int read_member(Page *page, PyObject *object)
{
    Text member;
    if (PyByteArray_Check(object))
        member = (Text){PyByteArray_AsString(object), PyByteArray_Size(object)};
    else if (PyBytes_Check(object))
        member = (Text){PyBytes_AsString(object), PyBytes_Size(object)};
    else
        return 0;
    return read_head(&page->head, member, 1) && find_body(page, member);
}

const char glance_doc[] =
"glance(member, most) -> (url, status, media type, start of the body, its size), or None\n\n"
"Return None unless the record is a page, or another file, of at most that many bytes, and\n"
"nothing about it is unusual. The media type is '' if only sniff.py can tell it.";

PyObject *glance(PyObject *module, PyObject *args)
{
    (void)module;
    Page page;
    PyObject *member;
    Py_ssize_t most;
    if (!PyArg_ParseTuple(args, "On", &member, &most)) return NULL;
    if (!read_member(&page, member) || !page.size || page.size > (size_t)most)
        Py_RETURN_NONE;
    const Text *fields = page.head.fields;
    if (!fields[URL].size || !is_printable(fields[URL], '!') || fields[TRUNCATED].size)
        Py_RETURN_NONE;
    for (int i = URL + 1; i < FIELDS; i++)
        if (i != CONTENT_TYPE && i != LENGTH && !is_printable(fields[i], ' '))
            Py_RETURN_NONE;
    const char *start = PyByteArray_Check(member) ? PyByteArray_AsString(member)
                                                  : PyBytes_AsString(member);
    return Py_BuildValue("(Nisnn)",
                         PyUnicode_DecodeASCII(fields[URL].at, fields[URL].size, NULL),
                         page.head.status < 0 ? 0 : page.head.status,
                         certain_type(page.body, page.size),
                         (Py_ssize_t)((const char *)page.body - start),
                         (Py_ssize_t)page.size);
}

static int ends_with(Text text, const char *end)
{
    size_t size = strlen(end);
    return text.size >= size && !memcmp(text.at + text.size - size, end, size);
}

/* Test a media type as sniff.is_text does. */
static int is_text_type(Text type)
{
    return (type.size >= 5 && !memcmp(type.at, "text/", 5)) || ends_with(type, "xml");
}

/* Read a tuple (offset, member, media type), and add its messages. */
static int add_item(Work *work, const Delimiters *delimiters, PyObject *item, Page *page,
                    size_t *bounds)
{
    PyObject *offset, *member, *type;
    Py_ssize_t sizes[2];
    if (!item || !PyTuple_Check(item)) {
        PyErr_SetString(PyExc_TypeError, "a list of tuples is expected");
        return 0;
    }
    if (!PyArg_ParseTuple(item, "UOU", &offset, &member, &type)) return 0;
    page->offset.at = PyUnicode_AsUTF8AndSize(offset, &sizes[0]);
    page->type.at = PyUnicode_AsUTF8AndSize(type, &sizes[1]);
    if (!page->offset.at || !page->type.at) return 0;
    page->offset.size = sizes[0], page->type.size = sizes[1];
    if (!read_member(page, member)) {
        PyErr_SetString(PyExc_ValueError, "a member at which `glance` gives up");
        return 0;
    }
    bounds[0] = work->count;
    if (!add_message(work, page->body, page->size)) return 0;
    bounds[1] = work->count;
    return !is_text_type(page->type)
        || add_chunks(work, delimiters, page->body, page->size);
}

/* Write the columns of a page: the digests, then the lengths. */
static int put_columns(Buffer *buffer, const Work *work, size_t from, size_t to)
{
    size_t digests = (to - from) * work->size, size = digests + 4 * (to - from);
    uint8_t *columns = PyMem_Malloc(size + 1);
    if (!columns) {
        PyErr_NoMemory();
        return 0;
    }
    memcpy(columns, work->digests + from * work->size, digests);
    for (size_t i = from; i < to; i++) {
        uint32_t length = work->messages[i].length;
        memcpy(columns + digests + 4 * (i - from), &length, 4);
    }
    put_number(buffer, work->size);
    put(buffer, (Text){",4:", 3});
    put_base64(buffer, columns, size);
    PyMem_Free(columns);
    return 1;
}

/* Write key and value of the line of a page, as PageLine.to_line does. */
static int put_line(Buffer *buffer, const Work *work, Text archive, Page *page,
                    const size_t *bounds)
{
    size_t chunks = bounds[2] - bounds[1], all = archive.size + page->offset.size;
    const Text *fields = page->head.fields;
    for (int i = 0; i < FIELDS; i++) all += fields[i].size;
    if (!reserve(buffer, all + page->type.size + 300 + chunks * (work->size + 5) * 4 / 3))
        return 0;
    page->line = buffer->size;
    put(buffer, archive);
    put_byte(buffer, ':');
    put(buffer, page->offset);
    page->key = buffer->size;
    for (int i = URL; i <= IP; i++) {
        put(buffer, fields[i]);
        put_byte(buffer, '\t');
    }
    put(buffer, page->type);
    put_byte(buffer, '\t');
    put_number(buffer, page->size);
    put_byte(buffer, '\t');
    put_hex(buffer, work->digests + bounds[0] * work->size, work->size);
    put_byte(buffer, '\t');
    put_number(buffer, chunks);
    put_byte(buffer, '\t');
    if (!put_columns(buffer, work, bounds[1], bounds[2])) return 0;
    put_byte(buffer, '\t');
    put(buffer, fields[RECORD_ID]);
    put_byte(buffer, '\t');
    put(buffer, fields[PAYLOAD_DIGEST]);
    while (buffer->data[buffer->size - 1] == '\t') buffer->size--;
    page->end = buffer->size;
    return 1;
}

/* Return the tuple of a page, or None if its rows do not fit into a line. */
static PyObject *tuple_of(const Buffer *buffer, const Page *page, size_t chunks)
{
    if (chunks > MOST_ROWS) Py_RETURN_NONE;
    const char *line = buffer->data + page->line, *value = buffer->data + page->key;
    return Py_BuildValue("(NNn)",
                         PyBytes_FromStringAndSize(line, page->key - page->line),
                         PyBytes_FromStringAndSize(value, page->end - page->key),
                         (Py_ssize_t)chunks);
}

const char lines_doc[] =
"lines(archive, list of (offset, member, media type)) -> list of (key, value, chunks)\n\n"
"Hash members from which `glance` has read, and return their page lines, with the number\n"
"of chunks. Instead of a page whose chunks need several lines there is a None.";

PyObject *lines_of(Cutter *self, PyObject *args)
{
    PyObject *name, *list, *items = NULL, *found = NULL;
    Page *pages = NULL;
    Buffer buffer = {0};
    Work work = {.size = self->size};
    if (!PyArg_ParseTuple(args, "SO!", &name, &PyList_Type, &list)) return NULL;
    if (!self->size) {
        PyErr_SetString(PyExc_TypeError, "a Cutter without delimiters");
        return NULL;
    }
    Text archive = {PyBytes_AsString(name), PyBytes_Size(name)};
    items = PyList_AsTuple(list); /* nothing can change it */
    Py_ssize_t count = items ? PyTuple_Size(items) : 0;
    if (!items || !make_room(&work, LEAST)) goto done;
    work.bounds = PyMem_Malloc((2 * count + 1) * sizeof *work.bounds);
    pages = PyMem_Malloc((count + 1) * sizeof *pages);
    if (!work.bounds || !pages) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!add_item(&work, &self->delimiters, PyTuple_GetItem(items, i), pages + i,
                      work.bounds + 2 * i))
            goto done;
    work.bounds[2 * count] = work.count;
    hash_all(work.size, work.messages, work.count, work.order, work.digests);
    /* All lines are written before the first object is made: to make one may run other
       code of Python, which could change a bytearray. */
    for (Py_ssize_t i = 0; i < count; i++)
        if (work.bounds[2 * i + 2] - work.bounds[2 * i + 1] <= MOST_ROWS
            && !put_line(&buffer, &work, archive, pages + i, work.bounds + 2 * i))
            goto done;
    found = PyList_New(count);
    for (Py_ssize_t i = 0; found && i < count; i++) {
        size_t chunks = work.bounds[2 * i + 2] - work.bounds[2 * i + 1];
        PyObject *tuple = tuple_of(&buffer, pages + i, chunks);
        if (!tuple || PyList_SetItem(found, i, tuple)) Py_CLEAR(found);
    }
done:
    Py_XDECREF(items);
    PyMem_Free(pages);
    PyMem_Free(buffer.data);
    free_work(&work);
    return found;
}
