/* The Python types of the module. */

#ifndef TYPES_H
#define TYPES_H
#include <Python.h>
#include <stddef.h>
#include <stdint.h>

extern PyType_Spec CUTTER, COUNTER, GRAMS, GRAM_LISTS, GRAM_TABLE, LINES, PATCHES, PRINTS,
    SHINGLES, WORDS;

/* agree.c */
extern const char agree_doc[], find_alike_doc[];
PyObject *agree(PyObject *module, PyObject *args);
PyObject *find_alike(PyObject *module, PyObject *args);

/* page_lines.c */
extern const char glance_doc[];
PyObject *glance(PyObject *module, PyObject *args);

/* shingles.c: the phrases of a page, given a Shingles and fingerprints of its words. */
PyObject *shingles_of_words(PyObject *shingles, const uint64_t *words, size_t count);

/* covers.c */
extern const char greedy_cover_doc[];
PyObject *greedy_cover(PyObject *module, PyObject *args);

/* matches.c */
extern const char match_pages_doc[];
PyObject *match_pages(PyObject *module, PyObject *args);

#endif
