/* The Python types of the module. */

#ifndef TYPES_H
#define TYPES_H
#include <Python.h>

extern PyType_Spec CUTTER, COUNTER, GRAMS, GRAM_LISTS, LINES, PATCHES, WORDS;

/* page_lines.c */
extern const char glance_doc[];
PyObject *glance(PyObject *module, PyObject *args);

/* covers.c */
extern const char greedy_cover_doc[];
PyObject *greedy_cover(PyObject *module, PyObject *args);

#endif
