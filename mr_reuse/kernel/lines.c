/* Lines: collects page lines, with the results of Batch in page_lines.py. */

#include <Python.h>

#include "line.h"
#include "types.h"

/* An array of bytes that grows. */
typedef struct {
    uint8_t *data;
    size_t size, room;
} Array;

typedef struct {
    PyObject_HEAD
    int width; /* of a digest; 0 until `init` has run */
    Array digests, lengths, counts, scratch;
} Lines;

/* Return room for more bytes, which then belong to the array; NULL if memory is short. */
static uint8_t *extend(Array *array, size_t more)
{
    if (!array->data || array->room - array->size < more) {
        size_t room = 2 * (array->size + more) + 1024;
        uint8_t *data = PyMem_Realloc(array->data, room);
        if (!data) return NULL;
        array->data = data;
        array->room = room;
    }
    array->size += more;
    return array->data + array->size - more;
}

static int init(Lines *self, PyObject *args, PyObject *named)
{
    int width;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "Lines has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "i", &width)) return -1;
    if (width < 1 || width > 64) {
        PyErr_SetString(PyExc_ValueError, "digests have up to 64 bytes");
        return -1;
    }
    self->digests.size = self->lengths.size = self->counts.size = 0;
    self->width = width;
    return 0;
}

/* Return the fields of a line as a list; in place of the columns their widths. */
static PyObject *fields_of(const Line *line)
{
    PyObject *list = PyList_New(ALL_FIELDS);
    for (int i = 0; list && i < ALL_FIELDS; i++) {
        Text field = line->fields[i];
        if (i == PACKED) field.size = line->columns.at - 1 - field.at;
        PyObject *bytes = PyBytes_FromStringAndSize(field.at, field.size);
        if (!bytes || PyList_SetItem(list, i, bytes)) Py_CLEAR(list);
    }
    return list;
}

PyDoc_STRVAR(add_doc,
"add(value) -> fields, or None\n\n"
"Collect the columns of the line of a short page. Return its fields; that of the columns\n"
"has only their widths. Return None for any other line.");

static PyObject *add(Lines *self, PyObject *value)
{
    Line line;
    char *data;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(value, &data, &size)) return NULL;
    if (!self->width || !read_line(&line, (Text){data, size}, self->width)) Py_RETURN_NONE;
    size_t digests = line.chunks * self->width, lengths = line.chunks * 4;
    uint32_t chunks = line.chunks;
    self->scratch.size = 0;
    uint8_t *columns = extend(&self->scratch, digests + lengths + 1);
    if (!columns) return PyErr_NoMemory();
    if (!decode_base64(columns, line.columns.at, line.columns.size)) Py_RETURN_NONE;
    PyObject *fields = fields_of(&line);
    if (!fields) return NULL;
    uint8_t *to[3] = {extend(&self->digests, digests), extend(&self->lengths, lengths),
                      extend(&self->counts, 4)};
    if (!to[0] || !to[1] || !to[2]) {
        Py_DECREF(fields);
        return PyErr_NoMemory();
    }
    memcpy(to[0], columns, digests);
    memcpy(to[1], columns + digests, lengths);
    memcpy(to[2], &chunks, 4);
    return fields;
}

static PyObject *take_array(Array *array)
{
    PyObject *found = PyBytes_FromStringAndSize((const char *)array->data, array->size);
    array->size = 0;
    return found;
}

PyDoc_STRVAR(take_doc,
"take() -> (digests, lengths, counts)\n\n"
"Return the columns of all lines, and the number of chunks of each, and forget them.\n"
"Lengths and counts have 32 bits.");

static PyObject *take(Lines *self, PyObject *nothing)
{
    (void)nothing;
    return Py_BuildValue("(NNN)", take_array(&self->digests), take_array(&self->lengths),
                         take_array(&self->counts));
}

static void dealloc(Lines *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(self->digests.data);
    PyMem_Free(self->lengths.data);
    PyMem_Free(self->counts.data);
    PyMem_Free(self->scratch.data);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

PyDoc_STRVAR(lines_doc, "Lines(width)\n\nCollects page lines with digests of that width.");

static PyMethodDef METHODS[] = {
    {"add", (PyCFunction)add, METH_O, add_doc},
    {"take", (PyCFunction)take, METH_NOARGS, take_doc},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)lines_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};
PyType_Spec LINES = {
    "mr_reuse._kernel.Lines", sizeof(Lines), 0, Py_TPFLAGS_DEFAULT, SLOTS,
};
