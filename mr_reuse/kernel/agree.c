/* agree, find_alike: comparisons of fingerprints, with the results of
   algorithms/agreement.py. */

#include <Python.h>

#include "agree.h"
#include "types.h"

enum { MOST_KEYS = 128 };

const char agree_doc[] =
"agree(one, rows, width) -> bytes\n\n"
"Compare a fingerprint with others, rows of keys of `width` bytes. Return two bytes for\n"
"each: in how many dimensions it agrees with `one`, and how many are empty in both.";

static int is_row(size_t m, size_t width)
{
    if (m && m <= MOST_KEYS && compare_of(width)) return 1;
    PyErr_SetString(PyExc_ValueError, "keys of another size");
    return 0;
}

PyObject *agree(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *one, *rows;
    Py_ssize_t width;
    if (!PyArg_ParseTuple(args, "SSn", &one, &rows, &width)) return NULL;
    size_t size = PyBytes_Size(one);
    if (!is_row(width > 0 ? size / width : 0, width)) return NULL;
    if (size % width || PyBytes_Size(rows) % size) {
        PyErr_SetString(PyExc_ValueError, "rows of another size");
        return NULL;
    }
    size_t count = PyBytes_Size(rows) / size;
    PyObject *result = PyBytes_FromStringAndSize(NULL, 2 * count);
    if (!result) return NULL;
    Compare *compare = compare_of(width);
    const uint8_t *base = (const uint8_t *)PyBytes_AsString(one);
    const uint8_t *other = (const uint8_t *)PyBytes_AsString(rows);
    uint8_t *out = (uint8_t *)PyBytes_AsString(result);
    for (size_t i = 0; i < count; i++, other += size) {
        Agreement found = compare(base, other, size / width);
        out[2 * i] = found.agreeing, out[2 * i + 1] = found.both_empty;
    }
    return result;
}

const char find_alike_doc[] =
"find_alike(rows, sizes, m, width, t, normalizes, all_pairs, representatives)\n"
"    -> (pairs, made, left out)\n\n"
"Compare the rows of each bucket; `sizes` has 64 bits for each. Return pairs of numbers of\n"
"rows that are alike, 32 bits each, and the numbers of comparisons.";

PyObject *find_alike(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rows, *sizes, *result = NULL;
    Py_ssize_t m, width, all_pairs, representatives;
    Search search = {0};
    if (!PyArg_ParseTuple(args, "SSnnIpnn", &rows, &sizes, &m, &width, &search.t,
                          &search.normalizes, &all_pairs, &representatives)
        || !is_row(m < 0 ? 0 : m, width))
        return NULL;
    search.rows = (const uint8_t *)PyBytes_AsString(rows);
    search.m = m, search.width = width, search.compare = compare_of(width);
    search.all_pairs = all_pairs, search.representatives = representatives;
    const uint64_t *counts = (const uint64_t *)PyBytes_AsString(sizes);
    uint64_t left = PyBytes_Size(rows) / (m * width);
    int fits = left < NOBODY && all_pairs >= 0 && representatives > 0
               && PyBytes_Size(sizes) % 8 == 0 && PyBytes_Size(rows) % (m * width) == 0;
    size_t buckets = PyBytes_Size(sizes) / 8;
    for (size_t i = 0; i < buckets && fits; i++) {
        fits = counts[i] <= left;
        left -= counts[i];
    }
    if (!fits || left) {
        PyErr_SetString(PyExc_ValueError, "rows or buckets of another size");
        return NULL;
    }
    if (search_buckets(&search, counts, buckets))
        result = Py_BuildValue(
            "(NKK)",
            PyBytes_FromStringAndSize((const char *)search.pairs, search.count * sizeof(Pair)),
            (unsigned long long)search.made, (unsigned long long)search.left_out);
    else
        PyErr_NoMemory();
    free(search.pairs);
    return result;
}
