/* Cutter: cuts and hashes pages, with the results of chunking.py and `PureCutter`. */

#include <Python.h>

#include "types.h"
#include "work.h"

/* Get the bytes of an object. None has no bytes: data is NULL then. */
static int bytes_of(PyObject *object, const uint8_t **data, Py_ssize_t *size)
{
    char *found = NULL;
    *size = 0;
    if (object != Py_None && PyBytes_AsStringAndSize(object, &found, size)) return 0;
    *data = (const uint8_t *)found;
    return 1;
}

/* Add the messages of a page: its body if there is one, and the chunks of its text. */
static int add_page(Work *work, const Delimiters *delimiters, PyObject *pair,
                    size_t *bounds)
{
    PyObject *body, *text;
    const uint8_t *data;
    Py_ssize_t size;
    if (!pair || !PyTuple_Check(pair)) {
        PyErr_SetString(PyExc_TypeError, "a list of pairs is expected");
        return 0;
    }
    if (!PyArg_ParseTuple(pair, "OO", &body, &text)) return 0;
    bounds[0] = work->count;
    if (!bytes_of(body, &data, &size) || (data && !add_message(work, data, size))) return 0;
    bounds[1] = work->count;
    return bytes_of(text, &data, &size) && add_chunks(work, delimiters, data, size);
}

/* Return the lengths of messages, as 32-bit numbers. */
static PyObject *lengths_of(const Message *messages, size_t count)
{
    PyObject *found = PyBytes_FromStringAndSize(NULL, count * 4);
    char *at = found ? PyBytes_AsString(found) : NULL;
    for (size_t i = 0; at && i < count; i++, at += 4) {
        uint32_t length = messages[i].length;
        memcpy(at, &length, 4);
    }
    return found;
}

/* Return the tuple of a page: hash of its body, digests and lengths of its chunks. */
static PyObject *page_of(const Work *work, const size_t *bounds)
{
    size_t body = bounds[0], chunks = bounds[1], end = bounds[2];
    const char *digests = (const char *)work->digests;
    return Py_BuildValue("(NNN)",
                         PyBytes_FromStringAndSize(digests + body * work->size,
                                                   (chunks - body) * work->size),
                         PyBytes_FromStringAndSize(digests + chunks * work->size,
                                                   (end - chunks) * work->size),
                         lengths_of(work->messages + chunks, end - chunks));
}

PyDoc_STRVAR(pages_doc,
"pages(list of (body, text)) -> list of (hash of body, digests, lengths)\n\n"
"Hash bodies and the chunks of texts. Lengths are 32-bit numbers. A body or text may be\n"
"None. The hash of no body is b''.");

static PyObject *pages(Cutter *self, PyObject *list)
{
    if (!self->size || !PyList_Check(list)) {
        PyErr_SetString(PyExc_TypeError, "a list of pairs is expected");
        return NULL;
    }
    Py_ssize_t count;
    Work work = {.size = self->size};
    PyObject *found = NULL, *pairs = PyList_AsTuple(list); /* nothing can change it */
    if (!pairs || !make_room(&work, LEAST)) goto failed;
    count = PyTuple_Size(pairs);
    work.bounds = PyMem_Malloc((2 * count + 1) * sizeof *work.bounds);
    found = work.bounds ? PyList_New(count) : PyErr_NoMemory();
    if (!found) goto failed;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!add_page(&work, &self->delimiters, PyTuple_GetItem(pairs, i),
                      work.bounds + 2 * i))
            goto failed;
    work.bounds[2 * count] = work.count;
    hash_all(work.size, work.messages, work.count, work.order, work.digests);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *page = page_of(&work, work.bounds + 2 * i);
        if (!page || PyList_SetItem(found, i, page)) goto failed;
    }
    Py_DECREF(pairs);
    free_work(&work);
    return found;
failed:
    Py_XDECREF(pairs);
    Py_XDECREF(found);
    free_work(&work);
    return NULL;
}

PyDoc_STRVAR(lengths_doc,
"lengths(text) -> lengths of its chunks, as 32-bit numbers");

static PyObject *lengths(Cutter *self, PyObject *text)
{
    Work work = {.size = self->size};
    PyObject *found = NULL;
    const uint8_t *data;
    Py_ssize_t size;
    if (bytes_of(text, &data, &size) && make_room(&work, LEAST)
        && add_chunks(&work, &self->delimiters, data, size))
        found = lengths_of(work.messages, work.count);
    free_work(&work);
    return found;
}

PyDoc_STRVAR(cutter_doc,
"Cutter(tags, after, size)\n\n"
"Cuts texts before tags with the given names (a tuple of bytes in lower case) that one of\n"
"the bytes `after` follows. `size` is 20 for SHA-1 or 32 for SHA-256.");

static int set_up(Cutter *self, PyObject *tags, const uint8_t *after, Py_ssize_t count)
{
    Delimiters *delimiters = &self->delimiters;
    memset(delimiters, 0, sizeof *delimiters);
    for (Py_ssize_t i = 0; i < count; i++) delimiters->after[after[i]] = 1;
    for (Py_ssize_t i = 0; i < PyTuple_Size(tags); i++) {
        const uint8_t *tag;
        Py_ssize_t length;
        if (!bytes_of(PyTuple_GetItem(tags, i), &tag, &length)) return 0;
        if (i == MAX_TAGS || length < 1 || length > MAX_TAG) {
            PyErr_SetString(PyExc_ValueError, "too many tags, or one of no fitting length");
            return 0;
        }
        add_tag(delimiters, tag, length);
    }
    return 1;
}

static int init(Cutter *self, PyObject *args, PyObject *named)
{
    PyObject *tags, *bytes;
    const uint8_t *after;
    Py_ssize_t count;
    int size;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "Cutter has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "O!Si", &PyTuple_Type, &tags, &bytes, &size)
        || !bytes_of(bytes, &after, &count))
        return -1;
    if (size != SHA1 && size != SHA256) {
        PyErr_SetString(PyExc_ValueError, "hashes have 20 or 32 bytes");
        return -1;
    }
    self->size = 0;
    if (!set_up(self, tags, after, count)) return -1;
    self->size = size;
    return 0;
}

static void dealloc(Cutter *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef METHODS[] = {
    {"pages", (PyCFunction)pages, METH_O, pages_doc},
    {"lines", (PyCFunction)lines_of, METH_VARARGS, lines_doc},
    {"lengths", (PyCFunction)lengths, METH_O, lengths_doc},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)cutter_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};
PyType_Spec CUTTER = {
    "mr_reuse._kernel.Cutter", sizeof(Cutter), 0, Py_TPFLAGS_DEFAULT, SLOTS,
};
