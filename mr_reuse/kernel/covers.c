/* greedy_cover, with the result of algorithms/covers.py. */

#include <Python.h>

#include "covers.h"
#include "types.h"

const char greedy_cover_doc[] =
"greedy_cover(counts, sizes, documents, admitted, least) -> documents, new, shared\n\n"
"Find the greedy cover of classes: 64 bits for the number of grams of each, 32 for the\n"
"size of its list, 64 for each document in the lists, and a byte that says whether that\n"
"may be taken. Return three numbers of 64 bits for each document of the cover.";

PyObject *greedy_cover(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *counts, *sizes, *documents, *admitted, *result = NULL;
    unsigned long long least;
    if (!PyArg_ParseTuple(args, "SSSSK", &counts, &sizes, &documents, &admitted, &least))
        return NULL;
    Classes in = {
        (const uint64_t *)PyBytes_AsString(counts),
        (const uint32_t *)PyBytes_AsString(sizes),
        (const uint64_t *)PyBytes_AsString(documents),
        (const uint8_t *)PyBytes_AsString(admitted),
        PyBytes_Size(sizes) / 4,
        PyBytes_Size(admitted),
    };
    size_t entries = 0;
    if ((size_t)PyBytes_Size(counts) == 8 * in.classes)
        for (size_t i = 0; i < in.classes; i++) entries += in.sizes[i];
    if (entries != in.entries || (size_t)PyBytes_Size(documents) != 8 * entries
        || (size_t)PyBytes_Size(counts) != 8 * in.classes || entries >= UINT32_MAX
        || !least) {
        PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        return NULL;
    }
    Cover cover = {0};
    if (!find_cover(&cover, &in, least)) {
        PyErr_NoMemory();
    } else if ((result = PyBytes_FromStringAndSize(NULL, 24 * (Py_ssize_t)cover.taken))) {
        uint64_t *rows = (uint64_t *)PyBytes_AsString(result);
        for (size_t i = 0; i < cover.taken; i++) {
            rows[3 * i] = cover.cover[i].document;
            rows[3 * i + 1] = cover.cover[i].gain;
            rows[3 * i + 2] = cover.cover[i].total;
        }
    }
    free_cover(&cover);
    return result;
}
