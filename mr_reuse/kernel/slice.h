/* Slices of bytes and of bytearrays. */

#ifndef SLICE_H
#define SLICE_H
#include <Python.h>
#include <stdint.h>

/* Set the data of bytes or a bytearray, within the bounds of a slice; -1 is the end. */
static int slice_of(PyObject *data, Py_ssize_t start, Py_ssize_t stop, const uint8_t **from,
                    const uint8_t **end)
{
    const char *at;
    Py_ssize_t size;
    if (PyBytes_Check(data)) {
        at = PyBytes_AsString(data), size = PyBytes_Size(data);
    } else if (PyByteArray_Check(data)) {
        at = PyByteArray_AsString(data), size = PyByteArray_Size(data);
    } else {
        PyErr_SetString(PyExc_TypeError, "bytes or a bytearray are expected");
        return 0;
    }
    if (stop == -1) stop = size; /* all from the start on */
    if (start < 0 || start > stop || stop > size) {
        PyErr_SetString(PyExc_ValueError, "a slice outside the data");
        return 0;
    }
    *from = (const uint8_t *)at + start;
    *end = (const uint8_t *)at + stop;
    return 1;
}

#endif
