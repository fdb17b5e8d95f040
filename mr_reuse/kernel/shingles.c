/* Shingles: the phrases of pages and the least of them, with the results of
   text/pure_shingles.py. */

#include <Python.h>

#include "shingles.h"
#include "types.h"

typedef struct {
    PyObject_HEAD
    Shingler *shingler; /* NULL until `init` has run */
} Shingles;

PyDoc_STRVAR(shingles_doc,
"Shingles(polynomial, polynomials)\n\n"
"Finds phrases by the fingerprints of words. The first polynomial is that of phrases. The\n"
"others, 84 numbers of 64 bits, are those of functions. None has its x^64.");

static int init(Shingles *self, PyObject *args, PyObject *named)
{
    unsigned long long polynomial;
    PyObject *polynomials;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "Shingles has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "KS", &polynomial, &polynomials)) return -1;
    if (PyBytes_Size(polynomials) != FUNCTIONS * 8) {
        PyErr_SetString(PyExc_ValueError, "84 polynomials are expected");
        return -1;
    }
    if (!self->shingler) self->shingler = PyMem_Malloc(sizeof *self->shingler);
    if (!self->shingler) {
        PyErr_NoMemory();
        return -1;
    }
    uint64_t numbers[FUNCTIONS];
    memcpy(numbers, PyBytes_AsString(polynomials), sizeof numbers);
    make_shingler(self->shingler, polynomial, numbers);
    return 0;
}

/* Set the words that an argument holds. */
static int words_of(Shingles *self, PyObject *data, const uint64_t **words, size_t *count)
{
    if (!PyBytes_Check(data)) {
        PyErr_SetString(PyExc_TypeError, "bytes are expected");
        return 0;
    }
    size_t size = PyBytes_Size(data);
    if (!self->shingler || size % 8) {
        PyErr_SetString(PyExc_ValueError, "no whole words");
        return 0;
    }
    *words = (const uint64_t *)PyBytes_AsString(data);
    *count = size / 8;
    return 1;
}

static PyObject *end(Shingler *s)
{
    int has_words = end_page(s);
    PyObject *found = PyBytes_FromStringAndSize((char *)s->phrases,
                                                has_words ? sizeof s->phrases : 0);
    start_page(s);
    return found;
}

static PyObject *page_of_words(Shingler *s, const uint64_t *words, size_t count)
{
    start_page(s);
    add_words(s, words, count);
    return end(s);
}

PyDoc_STRVAR(page_doc,
"page(words) -> bytes\n\n"
"Return for each function the phrase of a page with the least value, 64 bits each; nothing\n"
"for a page without words. `words` are fingerprints of 64 bits.");

static PyObject *page(Shingles *self, PyObject *data)
{
    const uint64_t *words;
    size_t count;
    if (!words_of(self, data, &words, &count)) return NULL;
    return page_of_words(self->shingler, words, count);
}

PyObject *shingles_of_words(PyObject *shingles, const uint64_t *words, size_t count)
{
    Shingler *shingler = NULL;
    if (PyType_GetSlot(Py_TYPE(shingles), Py_tp_init) == (void *)init)
        shingler = ((Shingles *)shingles)->shingler;
    if (shingler) return page_of_words(shingler, words, count);
    PyErr_SetString(PyExc_TypeError, "a Shingles with polynomials is expected");
    return NULL;
}

PyDoc_STRVAR(add_doc,
"add(words)\n\n"
"Add words of a page behind those of the last call.");

static PyObject *add(Shingles *self, PyObject *data)
{
    const uint64_t *words;
    size_t count;
    if (!words_of(self, data, &words, &count)) return NULL;
    add_words(self->shingler, words, count);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(take_doc,
"take() -> bytes\n\n"
"Return the phrases of the page whose words were added, as `page`, and begin another one.");

static PyObject *take(Shingles *self, PyObject *nothing)
{
    (void)nothing;
    if (self->shingler) return end(self->shingler);
    PyErr_SetString(PyExc_ValueError, "Shingles without polynomials");
    return NULL;
}

PyDoc_STRVAR(phrases_doc,
"phrases(words) -> bytes\n\n"
"Return all phrases of a page in the order of its words.");

static PyObject *phrases(Shingles *self, PyObject *data)
{
    const uint64_t *words;
    size_t count;
    if (!words_of(self, data, &words, &count)) return NULL;
    PyObject *found = PyBytes_FromStringAndSize(NULL, PyBytes_Size(data));
    if (!found) return NULL;
    find_phrases(self->shingler, words, count, (uint64_t *)PyBytes_AsString(found));
    return found;
}

PyDoc_STRVAR(choose_doc,
"choose(name) -> bool\n\n"
"Select instructions, '' for the fastest, if the CPU has them.");

static PyObject *choose(Shingles *self, PyObject *name)
{
    PyObject *text = PyUnicode_AsUTF8String(name);
    if (!text) return NULL;
    int is_possible = self->shingler && choose_ways(self->shingler, PyBytes_AsString(text));
    Py_DECREF(text);
    return PyBool_FromLong(is_possible);
}

static void dealloc(Shingles *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(self->shingler);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef METHODS[] = {
    {"page", (PyCFunction)page, METH_O, page_doc},
    {"add", (PyCFunction)add, METH_O, add_doc},
    {"take", (PyCFunction)take, METH_NOARGS, take_doc},
    {"phrases", (PyCFunction)phrases, METH_O, phrases_doc},
    {"choose", (PyCFunction)choose, METH_O, choose_doc},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)shingles_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};
PyType_Spec SHINGLES = {
    "mr_reuse._kernel.Shingles", sizeof(Shingles), 0, Py_TPFLAGS_DEFAULT, SLOTS,
};
