/* GramLists: finds the documents of covers, with the results of
   quilts/checks/gram_lists.py. */

#include <Python.h>

#include "gram_lists.h"
#include "types.h"

typedef struct {
    PyObject_HEAD
    GramLists lists;
    PyObject *held[2]; /* the bytes to which it points */
} GramListsObject;

PyDoc_STRVAR(lists_doc,
"GramLists(starts, documents)\n\n"
"Finds the documents of covers in lists. The lists are `documents`, which begin at `starts`,\n"
"with the end of the last one: 64 bits each.");

static int init(GramListsObject *self, PyObject *args, PyObject *named)
{
    PyObject *starts, *documents;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "GramLists has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "SS", &starts, &documents)) return -1;
    size_t count = PyBytes_Size(starts) / 8;
    const uint64_t *at = (const uint64_t *)PyBytes_AsString(starts);
    int is_sound = count && !self->held[0];
    for (size_t i = 1; is_sound && i < count; i++) is_sound = at[i - 1] <= at[i];
    if (!is_sound || at[count - 1] > (size_t)PyBytes_Size(documents) / 8) {
        PyErr_SetString(PyExc_ValueError, "no lists");
        return -1;
    }
    Py_INCREF(starts);
    Py_INCREF(documents);
    self->held[0] = starts, self->held[1] = documents;
    self->lists = (GramLists){count - 1, at, (const uint64_t *)PyBytes_AsString(documents)};
    return 0;
}

PyDoc_STRVAR(cover_doc,
"cover(lists, cover) -> (first, new, shared)\n\n"
"Find the first document of a cover that has each gram, by its position; -1 if none has it.\n"
"`lists` has the number of the list of each gram, 32 bits; `cover` has 64. Return also how\n"
"many grams have each position first, and how many have it at all: 32, 64 and 64 bits.");

static PyObject *cover(GramListsObject *self, PyObject *args)
{
    PyObject *lists, *documents;
    if (!PyArg_ParseTuple(args, "SS", &lists, &documents)) return NULL;
    Py_ssize_t count = PyBytes_Size(lists) / 4, size = PyBytes_Size(documents) / 8;
    PyObject *columns[3] = {
        PyBytes_FromStringAndSize(NULL, 4 * count),
        PyBytes_FromStringAndSize(NULL, 8 * size),
        PyBytes_FromStringAndSize(NULL, 8 * size),
    };
    CoverTable table = {0};
    Run *runs = malloc((count + 1) * sizeof *runs);
    int is_sound = 1;
    int is_done = columns[0] && columns[1] && columns[2] && runs && size < INT32_MAX
                  && count < UINT32_MAX
                  && make_table(&table, (const uint64_t *)PyBytes_AsString(documents), size);
    if (is_done) {
        for (int i = 1; i < 3; i++) memset(PyBytes_AsString(columns[i]), 0, 8 * size);
        size_t found = find_runs((const uint32_t *)PyBytes_AsString(lists), count, runs);
        is_sound = cover_grams(&self->lists, runs, found, &table,
                               (int32_t *)PyBytes_AsString(columns[0]),
                               (uint64_t *)PyBytes_AsString(columns[1]),
                               (uint64_t *)PyBytes_AsString(columns[2]));
    }
    free_table(&table);
    free(runs);
    if (is_done && is_sound)
        return Py_BuildValue("(NNN)", columns[0], columns[1], columns[2]);
    for (int i = 0; i < 3; i++) Py_XDECREF(columns[i]);
    if (is_sound) return PyErr_NoMemory();
    PyErr_SetString(PyExc_ValueError, "no such list");
    return NULL;
}

static void dealloc(GramListsObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    for (int i = 0; i < 2; i++) Py_XDECREF(self->held[i]);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef METHODS[] = {
    {"cover", (PyCFunction)cover, METH_VARARGS, cover_doc},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)lists_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};
PyType_Spec GRAM_LISTS = {
    "mr_reuse._kernel.GramLists", sizeof(GramListsObject), 0, Py_TPFLAGS_DEFAULT, SLOTS,
};
