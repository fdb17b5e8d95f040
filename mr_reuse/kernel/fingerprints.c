/* Fingerprints: the least hashes of the noise of pages, with the results of
   text/noise/pure_fingerprints.py. */

#include <Python.h>

#include "tags.h"
#include "types.h"

enum Preprocessor { NOISE, ONLY_TAGS, ALL, PREPROCESSORS };

typedef struct {
    PyObject_HEAD
    Printer *printer; /* NULL until `init` has run; in `memory`, at a multiple of 64 */
    void *memory;
    Tags *tags;
    enum Preprocessor preprocessor;
} Fingerprints;

PyDoc_STRVAR(fingerprints_doc,
"Fingerprints(n, m, preprocessor, multiplier, mixer, masks, shuffles)\n\n"
"Makes fingerprints of n-grams in m dimensions. The preprocessor is 0 for noise, 1 for\n"
"tags and 2 for all bytes. The multiplier and the mixer define the hash of an n-gram. Each\n"
"dimension has a mask of 64 bits and a shuffle of 64 bytes.");

static int init(Fingerprints *self, PyObject *args, PyObject *named)
{
    unsigned int n, m, preprocessor;
    unsigned long long multiplier, mixer;
    PyObject *masks, *shuffles;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "Fingerprints has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "IIIKKSS", &n, &m, &preprocessor, &multiplier, &mixer,
                          &masks, &shuffles))
        return -1;
    if (!n || n > LONGEST_GRAM || !m || m > DIMENSIONS || preprocessor >= PREPROCESSORS
        || PyBytes_Size(masks) < 8 * (Py_ssize_t)m
        || PyBytes_Size(shuffles) < 64 * (Py_ssize_t)m) {
        PyErr_SetString(PyExc_ValueError, "parameters outside their ranges");
        return -1;
    }
    const uint8_t *bits = (const uint8_t *)PyBytes_AsString(shuffles);
    for (size_t i = 0; i < 64 * (size_t)m; i++)
        if (bits[i] > 63) {
            PyErr_SetString(PyExc_ValueError, "a shuffle with a bit above 63");
            return -1;
        }
    if (!self->memory) self->memory = PyMem_Malloc(sizeof *self->printer + 64);
    if (!self->tags) self->tags = PyMem_Malloc(sizeof *self->tags);
    if (!self->memory || !self->tags) {
        PyErr_NoMemory();
        return -1;
    }
    self->printer = (Printer *)(((uintptr_t)self->memory + 63) & ~(uintptr_t)63);
    self->preprocessor = preprocessor;
    make_printer(self->printer, n, m, multiplier, mixer);
    start_tags(self->tags, self->printer);
    for (unsigned int i = 0; i < m; i++) {
        uint64_t mask;
        memcpy(&mask, PyBytes_AsString(masks) + 8 * i, 8);
        make_dimension(self->printer, i, mask, bits + 64 * i);
    }
    return 0;
}

static void start(Fingerprints *self)
{
    start_print(self->printer);
    start_tags(self->tags, self->printer);
}

static PyObject *end(Fingerprints *self)
{
    Printer *p = self->printer;
    if (self->preprocessor == ONLY_TAGS) end_tags(self->tags);
    offer_noise(p, p->size);
    Py_ssize_t size = p->page.has_grams ? p->m * sizeof *p->page.least : 0;
    PyObject *found = PyBytes_FromStringAndSize((char *)p->page.least, size);
    start(self);
    return found;
}

static int add_body(Fingerprints *self, PyObject *data)
{
    const uint8_t *bytes;
    size_t size;
    if (PyBytes_Check(data)) {
        bytes = (const uint8_t *)PyBytes_AsString(data), size = PyBytes_Size(data);
    } else if (PyByteArray_Check(data)) {
        bytes = (const uint8_t *)PyByteArray_AsString(data), size = PyByteArray_Size(data);
    } else {
        PyErr_SetString(PyExc_TypeError, "bytes or a bytearray are expected");
        return 0;
    }
    if (self->preprocessor == ONLY_TAGS)
        add_tags(self->tags, bytes, size, 0);
    else
        add_noise(self->printer, bytes, size, self->preprocessor == ALL);
    return 1;
}

static int is_ready(const Fingerprints *self)
{
    if (self->printer && self->tags) return 1;
    PyErr_SetString(PyExc_ValueError, "Fingerprints without parameters");
    return 0;
}

PyDoc_STRVAR(page_doc,
"page(bytes or bytearray) -> bytes\n\n"
"Return the least value in each dimension of a whole body, 64 bits each; nothing if it has\n"
"no n-gram.");

static PyObject *page(Fingerprints *self, PyObject *data)
{
    if (!is_ready(self)) return NULL;
    start(self);
    return add_body(self, data) ? end(self) : NULL;
}

PyDoc_STRVAR(add_doc,
"add(bytes or bytearray)\n\n"
"Add bytes of a body behind those of the last call.");

static PyObject *add(Fingerprints *self, PyObject *data)
{
    if (!is_ready(self) || !add_body(self, data)) return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(take_doc,
"take() -> bytes\n\n"
"Return the fingerprint of the body whose bytes were added, as `page`, and begin another\n"
"one.");

static PyObject *take(Fingerprints *self, PyObject *nothing)
{
    (void)nothing;
    return is_ready(self) ? end(self) : NULL;
}

PyDoc_STRVAR(choose_doc,
"choose(name) -> bool\n\n"
"Select instructions, '' for the fastest, if the CPU has them.");

static PyObject *choose(Fingerprints *self, PyObject *name)
{
    PyObject *text = PyUnicode_AsUTF8String(name);
    if (!text) return NULL;
    int is_possible = self->printer && choose_print(self->printer, PyBytes_AsString(text));
    Py_DECREF(text);
    return PyBool_FromLong(is_possible);
}

static void dealloc(Fingerprints *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(self->memory);
    PyMem_Free(self->tags);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef METHODS[] = {
    {"page", (PyCFunction)page, METH_O, page_doc},
    {"add", (PyCFunction)add, METH_O, add_doc},
    {"take", (PyCFunction)take, METH_NOARGS, take_doc},
    {"choose", (PyCFunction)choose, METH_O, choose_doc},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)fingerprints_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};
PyType_Spec PRINTS = {
    "mr_reuse._kernel.Fingerprints", sizeof(Fingerprints), 0, Py_TPFLAGS_DEFAULT, SLOTS,
};
