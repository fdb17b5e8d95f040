/* Words: reads the words of pages, with the results of text/pure_reader.py. */

#include <Python.h>

#include "markup.h"
#include "meta.h"
#include "slice.h"
#include "types.h"

enum {
    UPPER = 128,
    KEPT_WORDS = 1 << 18, /* memory for more is not kept for the next page */
};

typedef struct {
    PyObject_HEAD
    Markup markup;
    Names *names;
    PyObject *held[3]; /* the bytes to which it points */
    uint32_t upper[UPPER];
    Rabin rabin;
} Words;

PyDoc_STRVAR(words_doc,
"Words(table, names, values, polynomial)\n\n"
"Reads the words of pages. `table` has an entry of 32 bits for each code point: its lower\n"
"case, and its class in two bits. `names` are those of character references, ascending,\n"
"each with a line feed; `values` has two code points for each. The polynomial is that of\n"
"fingerprints, without x^64.");

static int init(Words *self, PyObject *args, PyObject *named)
{
    PyObject *table, *names, *values;
    unsigned long long polynomial;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "Words has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "SSSK", &table, &names, &values, &polynomial)) return -1;
    Names *index = PyMem_Calloc(1, sizeof *index);
    if (!index) {
        PyErr_NoMemory();
        return -1;
    }
    index->values = (const uint32_t *)PyBytes_AsString(values);
    if (PyBytes_Size(table) != 4 * ((Py_ssize_t)LAST_CHARACTER + 1)
        || !index_names(index, PyBytes_AsString(names), PyBytes_Size(names),
                        PyBytes_Size(values) / 8)) {
        PyMem_Free(index);
        PyErr_SetString(PyExc_ValueError, "tables of another size");
        return -1;
    }
    PyMem_Free(self->names);
    self->names = index;
    PyObject *all[3] = {table, names, values};
    for (int i = 0; i < 3; i++) {
        Py_INCREF(all[i]);
        Py_XDECREF(self->held[i]);
        self->held[i] = all[i];
    }
    make_rabin(&self->rabin, polynomial);
    self->markup.names = index;
    self->markup.out.table = (const uint32_t *)PyBytes_AsString(table);
    return 0;
}

static int is_ready(const Words *self)
{
    if (self->names) return 1;
    PyErr_SetString(PyExc_ValueError, "Words without tables");
    return 0;
}

PyDoc_STRVAR(start_doc,
"start(upper, is_markup, keeps_scripts, wants)\n\n"
"Begin another page. `upper` has the code points of the bytes from 128 on, 32 bits each,\n"
"or nothing for UTF-8. `wants` adds 1 for offsets, 2 for texts, and 4 for fingerprints in\n"
"place of hashes.");

/* How a page is read. */
typedef struct {
    PyObject *upper;
    int is_markup, keeps_scripts, wants;
} How;

static int begin(Words *self, How how)
{
    Py_ssize_t size = PyBytes_Size(how.upper);
    if (size && size != sizeof self->upper) {
        PyErr_SetString(PyExc_ValueError, "128 code points are expected");
        return 0;
    }
    memcpy(self->upper, PyBytes_AsString(how.upper), size);
    for (int i = 0; i < UPPER; i++)
        if (self->upper[i] > LAST_CHARACTER) self->upper[i] = REPLACEMENT;
    Markup *m = &self->markup;
    m->upper = size ? self->upper : NULL;
    m->keeps_scripts = how.keeps_scripts;
    m->state = how.is_markup ? DATA : PLAIN;
    m->start = 0;
    m->out.wants = how.wants & (OFFSETS | TEXT);
    m->out.rabin = how.wants & FINGERPRINTS ? &self->rabin : NULL;
    m->out.kind = SEPARATOR;
    m->out.failed = 0;
    m->out.count = m->out.size = 0;
    return 1;
}

static PyObject *start(Words *self, PyObject *args)
{
    How how;
    if (!is_ready(self)
        || !PyArg_ParseTuple(args, "Sppi", &how.upper, &how.is_markup, &how.keeps_scripts,
                             &how.wants)
        || !begin(self, how))
        return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(read_doc,
"read(bytes or bytearray, start, stop, is_last) -> number of bytes that were read\n\n"
"Read a part of a page. What is left has to come again, in front of the next part. It has\n"
"fewer than 64 bytes, and none if this part is the last.");

static PyObject *read_part(Words *self, PyObject *args)
{
    PyObject *data;
    Py_ssize_t start, stop;
    Markup *m = &self->markup;
    if (!is_ready(self)
        || !PyArg_ParseTuple(args, "Onnp", &data, &start, &stop, &m->is_last)
        || !slice_of(data, start, stop, &m->data, &m->end))
        return NULL;
    const uint8_t *behind = put_part(m);
    Py_ssize_t size = behind - m->data;
    m->start += size;
    m->data = m->end = NULL;
    if (m->out.failed) return PyErr_NoMemory();
    return PyLong_FromSsize_t(size);
}

/* Forget the words that were taken. */
static void forget_words(WordOut *out)
{
    out->count = out->size = 0;
    if (out->room > KEPT_WORDS || out->text_room > KEPT_WORDS) clear_words(out);
}

static PyObject *take_words(Words *self)
{
    WordOut *out = &self->markup.out;
    Py_ssize_t count = out->count, spans = out->wants & OFFSETS ? count : 0;
    Py_ssize_t width = width_of(out->rabin) * sizeof *out->hashes;
    PyObject *found = Py_BuildValue(
        "(NNN)",
        PyBytes_FromStringAndSize((char *)out->hashes, count * width),
        PyBytes_FromStringAndSize((char *)out->spans, spans * (Py_ssize_t)sizeof(Span)),
        PyBytes_FromStringAndSize((char *)out->text, out->size));
    if (found) forget_words(out);
    return found;
}

PyDoc_STRVAR(take_doc,
"take() -> (hashes, offsets, texts)\n\n"
"Return the words since the last call: for each two hashes or a fingerprint; start and\n"
"stop, 64 bits each; its bytes and a line feed. What was not asked for is empty.");

static PyObject *take(Words *self, PyObject *nothing)
{
    (void)nothing;
    return take_words(self);
}

/* Read a whole page. Return 0 with an error. */
static int read_page(Words *self, PyObject *data, Py_ssize_t start, Py_ssize_t stop, How how)
{
    Markup *m = &self->markup;
    if (!begin(self, how) || !slice_of(data, start, stop, &m->data, &m->end)) return 0;
    m->is_last = 1;
    put_part(m);
    m->data = m->end = NULL;
    if (m->out.failed) PyErr_NoMemory();
    return !m->out.failed;
}

PyDoc_STRVAR(page_doc,
"page(bytes or bytearray, upper, is_markup, keeps_scripts, wants)\n"
"    -> (hashes, offsets, texts)\n\n"
"Read a whole page in one call: as `start`, `read` and `take`.");

static PyObject *page(Words *self, PyObject *args)
{
    PyObject *data;
    How how;
    if (!is_ready(self)
        || !PyArg_ParseTuple(args, "OSppi", &data, &how.upper, &how.is_markup,
                             &how.keeps_scripts, &how.wants)
        || !read_page(self, data, 0, -1, how))
        return NULL;
    return take_words(self);
}

PyDoc_STRVAR(shingles_doc,
"shingles(bytes or bytearray, start, stop, upper, is_markup, keeps_scripts, shingles)\n"
"    -> (number of words, phrases)\n\n"
"Read a whole page: as `page` with fingerprints, which go to `shingles.page`.");

static PyObject *shingles(Words *self, PyObject *args)
{
    PyObject *data, *finder;
    Py_ssize_t start, stop;
    How how = {.wants = FINGERPRINTS};
    WordOut *out = &self->markup.out;
    if (!is_ready(self)
        || !PyArg_ParseTuple(args, "OnnSppO", &data, &start, &stop, &how.upper,
                             &how.is_markup, &how.keeps_scripts, &finder)
        || !read_page(self, data, start, stop, how))
        return NULL;
    Py_ssize_t count = out->count;
    PyObject *phrases = shingles_of_words(finder, out->hashes, count);
    forget_words(out);
    return phrases ? Py_BuildValue("(nN)", count, phrases) : NULL;
}

PyDoc_STRVAR(is_utf8_doc,
"is_utf8(bytes or bytearray, start, stop) -> bool\n\n"
"Return whether these bytes are valid; the last character may be incomplete.");

static PyObject *is_utf8(Words *self, PyObject *args)
{
    (void)self;
    PyObject *data;
    Py_ssize_t start, stop;
    const uint8_t *at, *end;
    if (!PyArg_ParseTuple(args, "Onn", &data, &start, &stop)
        || !slice_of(data, start, stop, &at, &end))
        return NULL;
    return PyBool_FromLong(is_valid_utf8(at, end));
}

PyDoc_STRVAR(labels_doc,
"labels(bytes) -> list of bytes\n\n"
"Return the labels of encodings in the `meta` tags of the first bytes of a page.");

static PyObject *labels(Words *self, PyObject *head)
{
    (void)self;
    const uint8_t *at, *end;
    PyObject *found = NULL;
    if (slice_of(head, 0, -1, &at, &end)) found = PyList_New(0);
    while (found && at && (at = find_byte(at, end, '<')) < end) {
        Label label;
        at = take_tag(at, end, &label);
        if (label.size < 0 || !at) continue;
        PyObject *text = PyBytes_FromStringAndSize((const char *)label.at, label.size);
        if (!text || PyList_Append(found, text)) {
            Py_DECREF(found);
            found = NULL;
        }
        Py_XDECREF(text);
    }
    return found;
}

static void dealloc(Words *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free_words(&self->markup.out);
    PyMem_Free(self->names);
    for (int i = 0; i < 3; i++) Py_XDECREF(self->held[i]);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef METHODS[] = {
    {"start", (PyCFunction)start, METH_VARARGS, start_doc},
    {"page", (PyCFunction)page, METH_VARARGS, page_doc},
    {"shingles", (PyCFunction)shingles, METH_VARARGS, shingles_doc},
    {"read", (PyCFunction)read_part, METH_VARARGS, read_doc},
    {"take", (PyCFunction)take, METH_NOARGS, take_doc},
    {"is_utf8", (PyCFunction)is_utf8, METH_VARARGS, is_utf8_doc},
    {"labels", (PyCFunction)labels, METH_O, labels_doc},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)words_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};

PyType_Spec WORDS = {
    .name = "mr_reuse._kernel.Words",
    .basicsize = sizeof(Words),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = SLOTS,
};
