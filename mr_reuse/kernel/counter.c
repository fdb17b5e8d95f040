/* Counter: counts the chunks of pages as counting.py does, only faster. */

#include <Python.h>

#include "table.h"
#include "types.h"

typedef struct {
    PyObject_HEAD
    Table table; /* its width is 0 until it is set up */
} Counter;

PyDoc_STRVAR(counter_doc,
"Counter(width, seed)\n\n"
"Counts digests of so many bytes, of 8 at least. The seed says how they are spread.");

static int init(Counter *self, PyObject *args, PyObject *named)
{
    int width;
    unsigned long long seed;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "Counter has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "iK", &width, &seed)) return -1;
    if (width < 8 || width > 64) {
        PyErr_SetString(PyExc_ValueError, "digests have 8 to 64 bytes");
        return -1;
    }
    free_table(&self->table);
    self->table = (Table){.width = width, .seed = seed | 1};
    return 0;
}

PyDoc_STRVAR(add_doc,
"add(packed) -> rows\n\n"
"Count the chunks of a page: their digests, then their lengths, as 32-bit numbers. Says\n"
"how many distinct ones there are now.");

static PyObject *add(Counter *self, PyObject *packed)
{
    Table *table = &self->table;
    char *data;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(packed, &data, &size)) return NULL;
    if (!table->width || size % (table->width + 4)) {
        PyErr_SetString(PyExc_ValueError, "no whole columns");
        return NULL;
    }
    const uint8_t *keys = (const uint8_t *)data;
    size_t count = size / (table->width + 4);
    if (!count_page(table, keys, keys + count * table->width, count))
        return PyErr_NoMemory();
    return PyLong_FromUnsignedLong(table->count);
}

/* The digests, in an order of rows. */
static PyObject *digests(const Table *table, const uint32_t *order)
{
    size_t width = table->width;
    PyObject *found = PyBytes_FromStringAndSize(NULL, table->count * width);
    char *at = found ? PyBytes_AsString(found) : NULL;
    for (uint32_t i = 0; at && i < table->count; i++, at += width)
        memcpy(at, table->keys + order[i] * width, width);
    return found;
}

/* A column of the numbers, of 64 bits each, in an order of rows. */
static PyObject *column(const Table *table, const uint32_t *order, size_t offset)
{
    PyObject *found = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)table->count * 8);
    char *at = found ? PyBytes_AsString(found) : NULL;
    for (uint32_t i = 0; at && i < table->count; i++, at += 8)
        memcpy(at, (const char *)(table->numbers + order[i]) + offset, 8);
    return found;
}

PyDoc_STRVAR(take_doc,
"take(bits) -> (sizes, digests, copies, pages, lengths)\n\n"
"All that was counted, in parts by the first bits of the digests, and how many rows each\n"
"part has, as 32-bit numbers; the others have 64. The counter is empty then.");

static PyObject *take(Counter *self, PyObject *number)
{
    Table *table = &self->table;
    long bits = PyLong_AsLong(number);
    if (bits == -1 && PyErr_Occurred()) return NULL;
    if (bits < 0 || bits > 16) {
        PyErr_SetString(PyExc_ValueError, "parts have 0 to 16 bits");
        return NULL;
    }
    PyObject *sizes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)4 << bits);
    uint32_t *order = PyMem_Malloc(((size_t)table->count + 1) * sizeof *order);
    PyObject *found = NULL;
    if (sizes && order) {
        sort_by_part(table, bits, (uint32_t *)PyBytes_AsString(sizes), order);
        found = Py_BuildValue(
            "(ONNNN)", sizes, digests(table, order),
            column(table, order, offsetof(Numbers, copies)),
            column(table, order, offsetof(Numbers, pages)),
            column(table, order, offsetof(Numbers, length)));
    } else if (sizes) {
        PyErr_NoMemory();
    }
    Py_XDECREF(sizes);
    PyMem_Free(order);
    if (found) clear_table(table);
    return found;
}

static void dealloc(Counter *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free_table(&self->table);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef METHODS[] = {
    {"add", (PyCFunction)add, METH_O, add_doc},
    {"take", (PyCFunction)take, METH_O, take_doc},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)counter_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};
PyType_Spec COUNTER = {
    "mr_reuse._kernel.Counter", sizeof(Counter), 0, Py_TPFLAGS_DEFAULT, SLOTS,
};
