/* GramTable: the documents of the grams of a partition, with the results of
   quilts/grams/pure_table.py. */

#include <Python.h>

#include "gram_table.h"
#include "types.h"

typedef struct {
    PyObject_HEAD
    GramTable table;
} GramTableObject;

PyDoc_STRVAR(table_doc,
"GramTable(limit, bits)\n\n"
"Collects the documents of grams, and no more than limit + 1 of each. The first bits of all\n"
"keys are the same.");

static int init(GramTableObject *self, PyObject *args, PyObject *named)
{
    unsigned int limit, bits;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "GramTable has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "II", &limit, &bits)) return -1;
    if (bits > 16) {
        PyErr_SetString(PyExc_ValueError, "too many bits");
        return -1;
    }
    self->table.limit = limit;
    self->table.bits = bits;
    return 0;
}

PyDoc_STRVAR(add_doc,
"add(keys, checks, sizes, documents, numbers) -> number of entries\n\n"
"Add grams with their documents, which are places among numbers: 64, 16, 32, 32, 64 bits.");

static PyObject *add(GramTableObject *self, PyObject *args)
{
    PyObject *columns[5];
    GramColumns c;
    if (!PyArg_ParseTuple(args, "SSSSS", columns, columns + 1, columns + 2, columns + 3,
                          columns + 4))
        return NULL;
    c.grams = PyBytes_Size(columns[0]) / 8;
    c.all = PyBytes_Size(columns[3]) / 4;
    c.known = PyBytes_Size(columns[4]) / 8;
    c.keys = (const uint64_t *)PyBytes_AsString(columns[0]);
    c.checks = (const uint16_t *)PyBytes_AsString(columns[1]);
    c.sizes = (const uint32_t *)PyBytes_AsString(columns[2]);
    c.documents = (const uint32_t *)PyBytes_AsString(columns[3]);
    c.numbers = (const uint64_t *)PyBytes_AsString(columns[4]);
    if ((size_t)PyBytes_Size(columns[1]) / 2 != c.grams
        || (size_t)PyBytes_Size(columns[2]) / 4 != c.grams || !are_sound(&c)) {
        PyErr_SetString(PyExc_ValueError, "no grams");
        return NULL;
    }
    if (!add_grams(&self->table, &c)) return PyErr_NoMemory();
    return PyLong_FromSize_t(self->table.count);
}

PyDoc_STRVAR(compact_doc,
"compact() -> number of entries\n\n"
"Merge the documents of equal grams, and drop those above limit + 1.");

static PyObject *compact(GramTableObject *self, PyObject *nothing)
{
    (void)nothing;
    compact_table(&self->table);
    return PyLong_FromSize_t(self->table.count);
}

static PyObject *pack(const void *data, size_t count, size_t width)
{
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)(count * width));
}

PyDoc_STRVAR(take_doc,
"take() -> (keys, checks, sizes, documents)\n\n"
"Return all grams in order, as `Grams.take`, but with documents of 64 bits; begin anew.");

static PyObject *take(GramTableObject *self, PyObject *nothing)
{
    (void)nothing;
    GramTable *t = &self->table;
    size_t grams = compact_table(t), at = 0;
    PyObject *columns[4] = {
        pack(NULL, grams, 8), pack(NULL, grams, 2), pack(NULL, grams, 4),
        pack(NULL, t->count, 8),
    };
    if (!columns[0] || !columns[1] || !columns[2] || !columns[3]) {
        for (int i = 0; i < 4; i++) Py_XDECREF(columns[i]);
        return NULL;
    }
    uint64_t *keys = (uint64_t *)PyBytes_AsString(columns[0]),
             *documents = (uint64_t *)PyBytes_AsString(columns[3]);
    uint16_t *checks = (uint16_t *)PyBytes_AsString(columns[1]);
    uint32_t *sizes = (uint32_t *)PyBytes_AsString(columns[2]);
    for (size_t gram = 0; gram < grams; gram++) {
        size_t size = size_at(t, at);
        keys[gram] = t->entries[at].key;
        checks[gram] = check_of(t->entries + at);
        sizes[gram] = size;
        for (size_t end = at + size; at < end; at++)
            documents[at] = document_of(t->entries + at);
    }
    t->count = 0;
    return Py_BuildValue("(NNNN)", columns[0], columns[1], columns[2], columns[3]);
}

PyDoc_STRVAR(lists_doc,
"lists() -> (grams, counts, sizes, documents, keys, checks)\n\n"
"Return the number of all grams; and lists of two to limit documents, merged, in the order of\n"
"their hashes: numbers of grams, sizes, documents, and the grams, with 32, 32, 64, 64 and 16\n"
"bits. Begin anew.");

static PyObject *lists(GramTableObject *self, PyObject *nothing)
{
    (void)nothing;
    GramTable *t = &self->table;
    MergedLists l = {0};
    size_t grams = compact_table(t);
    PyObject *result = NULL, *columns[5] = {NULL};
    if (!make_lists(t, &l)) {
        PyErr_NoMemory();
    } else {
        columns[0] = pack(l.counts, l.lists, 4);
        columns[1] = pack(l.sizes, l.lists, 4);
        columns[2] = pack(l.documents, l.all, 8);
        columns[3] = pack(l.keys, l.grams, 8);
        columns[4] = pack(l.checks, l.grams, 2);
        t->count = 0;
        if (columns[0] && columns[1] && columns[2] && columns[3] && columns[4])
            result = Py_BuildValue("(nOOOOO)", (Py_ssize_t)grams, columns[0], columns[1],
                                   columns[2], columns[3], columns[4]);
    }
    for (int i = 0; i < 5; i++) Py_XDECREF(columns[i]);
    free_lists(&l);
    return result;
}

static void dealloc(GramTableObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free_entries(&self->table);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef METHODS[] = {
    {"add", (PyCFunction)add, METH_VARARGS, add_doc},
    {"compact", (PyCFunction)compact, METH_NOARGS, compact_doc},
    {"take", (PyCFunction)take, METH_NOARGS, take_doc},
    {"lists", (PyCFunction)lists, METH_NOARGS, lists_doc},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)table_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};
PyType_Spec GRAM_TABLE = {
    "mr_reuse._kernel.GramTable", sizeof(GramTableObject), 0, Py_TPFLAGS_DEFAULT, SLOTS,
};
