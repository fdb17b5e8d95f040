/* match_pages, with the result of phrases/matching.py. */

#include <Python.h>

#include "matches.h"
#include "types.h"

const char match_pages_doc[] =
"match_pages(rows, columns, servers, numbers, codes, covered) -> matches\n\n"
"Find the documents with popular shingles of pages: those that a cover may take. Documents\n"
"have 88 codes of 16 bits, in rows, and the first 84 of them in columns; 2 numbers of 64\n"
"bits for the server; and their own numbers, which ascend. The pages, at most 64, have\n"
"rows of codes and of five numbers: two masks of popular positions, the server, and the\n"
"number of the page. Return six numbers of 64 bits for each match: page, document, two\n"
"masks, common shingles, flags.";

PyObject *match_pages(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rows, *columns, *servers, *numbers, *codes, *covered, *result = NULL;
    if (!PyArg_ParseTuple(args, "SSSSSS", &rows, &columns, &servers, &numbers, &codes,
                          &covered))
        return NULL;
    Documents in = {
        (const uint16_t *)PyBytes_AsString(rows),
        (const uint16_t *)PyBytes_AsString(columns),
        (const Server *)PyBytes_AsString(servers),
        (const uint64_t *)PyBytes_AsString(numbers),
        PyBytes_Size(numbers) / 8,
    };
    CoveredPages pages = {
        (const uint16_t *)PyBytes_AsString(codes),
        (const CoveredPage *)PyBytes_AsString(covered),
        PyBytes_Size(covered) / sizeof(CoveredPage),
    };
    if ((size_t)PyBytes_Size(rows) != 2 * CODES * in.count
        || (size_t)PyBytes_Size(columns) != 2 * POSITIONS * in.count
        || (size_t)PyBytes_Size(numbers) != 8 * in.count
        || (size_t)PyBytes_Size(servers) != sizeof(Server) * in.count
        || (size_t)PyBytes_Size(codes) != 2 * CODES * pages.count
        || (size_t)PyBytes_Size(covered) != sizeof(CoveredPage) * pages.count
        || pages.count > GROUP) {
        PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        return NULL;
    }
    Found found = {NULL, 0, 0};
    if (match_all(&found, &in, &pages))
        result = PyBytes_FromStringAndSize((const char *)found.matches,
                                           found.count * sizeof *found.matches);
    else
        PyErr_NoMemory();
    free(found.matches);
    return result;
}
