/* Grams: collects and sorts the grams of documents, with the results of
   text/gram_block.py. */

#include <Python.h>

#include "grams.h"
#include "types.h"

typedef struct {
    PyObject_HEAD
    GramBlock block; /* its k is 0 until `init` has run */
} Grams;

PyDoc_STRVAR(grams_doc, "Grams(k)\n\nCollects the grams of k words of documents.");

static int init(Grams *self, PyObject *args, PyObject *named)
{
    unsigned int k;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "Grams has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "I", &k)) return -1;
    if (!k) {
        PyErr_SetString(PyExc_ValueError, "a gram has at least one word");
        return -1;
    }
    self->block.k = k;
    self->block.count = 0;
    return 0;
}

PyDoc_STRVAR(add_doc,
"add(lanes, document) -> number of distinct grams of the document\n\n"
"Add a document by the lanes of its words, two of 64 bits each.");

static PyObject *add(Grams *self, PyObject *args)
{
    PyObject *lanes;
    unsigned int document;
    GramBlock *block = &self->block;
    if (!PyArg_ParseTuple(args, "SI", &lanes, &document)) return NULL;
    Py_ssize_t size = PyBytes_Size(lanes);
    if (!block->k || size % 16) {
        PyErr_SetString(PyExc_ValueError, "no whole words");
        return NULL;
    }
    size_t before = block->count;
    const uint64_t *numbers = (const uint64_t *)PyBytes_AsString(lanes);
    if (!add_document(block, numbers, size / 16, document))
        return PyErr_NoMemory();
    return PyLong_FromSize_t(block->count - before);
}

PyDoc_STRVAR(take_doc,
"take() -> (keys, checks, sizes, documents)\n\n"
"Return the distinct grams since the last call, sorted: 64, 16, 32 and 32 bits each.");

static PyObject *take(Grams *self, PyObject *nothing)
{
    (void)nothing;
    GramBlock *block = &self->block;
    if (!sort_block(block)) return PyErr_NoMemory();
    Py_ssize_t count = count_distinct(block), all = block->count;
    PyObject *columns[4] = {
        PyBytes_FromStringAndSize(NULL, 8 * count),
        PyBytes_FromStringAndSize(NULL, 2 * count),
        PyBytes_FromStringAndSize(NULL, 4 * count),
        PyBytes_FromStringAndSize(NULL, 4 * all),
    };
    if (columns[0] && columns[1] && columns[2] && columns[3]) {
        write_columns(block, (uint64_t *)PyBytes_AsString(columns[0]),
                      (uint16_t *)PyBytes_AsString(columns[1]),
                      (uint32_t *)PyBytes_AsString(columns[2]),
                      (uint32_t *)PyBytes_AsString(columns[3]));
        block->count = 0;
        return Py_BuildValue("(NNNN)", columns[0], columns[1], columns[2], columns[3]);
    }
    for (int i = 0; i < 4; i++) Py_XDECREF(columns[i]);
    return NULL;
}

static void dealloc(Grams *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free_block(&self->block);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef METHODS[] = {
    {"add", (PyCFunction)add, METH_VARARGS, add_doc},
    {"take", (PyCFunction)take, METH_NOARGS, take_doc},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)grams_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};
PyType_Spec GRAMS = {
    "mr_reuse._kernel.Grams", sizeof(Grams), 0, Py_TPFLAGS_DEFAULT, SLOTS,
};
