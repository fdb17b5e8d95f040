/* Counter: counts the chunks of pages, with the results of counting.py. */

#include <Python.h>

#include "line.h"
#include "table.h"
#include "types.h"

typedef struct {
    PyObject_HEAD
    Table table; /* its width is 0 until `init` has run */
} Counter;

PyDoc_STRVAR(counter_doc,
"Counter(width, seed)\n\n"
"Counts digests of `width` bytes, 8 to 64. The seed decides their slots in the table.");

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
"Count the chunks of a page: all digests, then all lengths as 32-bit numbers. Return the\n"
"number of distinct digests so far.");

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

PyDoc_STRVAR(add_line_doc,
"add_line(value, files) -> rows, or None\n\n"
"Count the chunks of the line of a short page, and its file in another counter. Return the\n"
"number of distinct digests so far, of the counter that has more. Return None for any\n"
"other line, which is not counted.");

static PyObject *add_line(Counter *self, PyObject *args)
{
    PyObject *value;
    Counter *files;
    if (!PyArg_ParseTuple(args, "SO!", &value, Py_TYPE(self), &files)) return NULL;
    Line line;
    Table *table = &self->table, *others = &files->table;
    Text text = {PyBytes_AsString(value), PyBytes_Size(value)};
    uint8_t file[64];
    if (!table->width || table->width != others->width
        || !read_line(&line, text, table->width) || line.size > UINT32_MAX)
        Py_RETURN_NONE;
    int has_file = line.fields[FILE_HASH].size > 0;
    if (has_file && !read_file_hash(&line, file, table->width)) Py_RETURN_NONE;
    size_t digests = line.chunks * table->width;
    uint8_t *columns = PyMem_Malloc(digests + 4 * line.chunks + 1);
    if (!columns) return PyErr_NoMemory();
    int is_sound = decode_base64(columns, line.columns.at, line.columns.size);
    uint32_t size = line.size;
    int is_counted = is_sound
        && count_page(table, columns, columns + digests, line.chunks)
        && (!has_file || count_page(others, file, (const uint8_t *)&size, 1));
    PyMem_Free(columns);
    if (!is_sound) Py_RETURN_NONE;
    if (!is_counted) return PyErr_NoMemory();
    return PyLong_FromUnsignedLong(table->count > others->count ? table->count
                                                                : others->count);
}

/* Return the digests of the table, in an order of rows. */
static PyObject *digests(const Table *table, const uint32_t *order)
{
    size_t width = table->width;
    PyObject *found = PyBytes_FromStringAndSize(NULL, table->count * width);
    char *at = found ? PyBytes_AsString(found) : NULL;
    for (uint32_t i = 0; at && i < table->count; i++, at += width)
        memcpy(at, table->keys + order[i] * width, width);
    return found;
}

/* Return a column of the table, 64 bits each, in an order of rows. `offset` is that of the
   column in Numbers. */
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
"Return all counts and clear the counter. The rows are sorted into 2**bits partitions by\n"
"the first bits of the digests. `sizes` has the number of rows of each partition, as\n"
"32-bit numbers. The other numbers have 64 bits.");

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
    {"add_line", (PyCFunction)add_line, METH_VARARGS, add_line_doc},
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
