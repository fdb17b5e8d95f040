/* match_page, with the result of phrases/matching.py. */

#include <Python.h>

#include "matches.h"
#include "types.h"

const char match_page_doc[] =
"match_page(codes, servers, numbers, page, covered) -> matches\n\n"
"Find the documents with popular shingles of a page: of those with the same ones, both\n"
"at home or both not, the best. Documents have 88 codes of 16 bits, 2 numbers of 64 bits\n"
"for the server, and their own number. The page has 88 codes, and five numbers: two\n"
"masks of popular positions, its server, and its own number. Return five numbers of 64\n"
"bits for each match: document, two masks, common shingles, flags.";

PyObject *match_page(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *codes, *servers, *numbers, *page, *covered, *result = NULL;
    if (!PyArg_ParseTuple(args, "SSSSS", &codes, &servers, &numbers, &page, &covered))
        return NULL;
    Documents in = {
        (const uint16_t *)PyBytes_AsString(codes),
        (const Server *)PyBytes_AsString(servers),
        (const uint64_t *)PyBytes_AsString(numbers),
        PyBytes_Size(numbers) / 8,
    };
    if ((size_t)PyBytes_Size(codes) != 2 * CODES * in.count
        || (size_t)PyBytes_Size(servers) != sizeof(Server) * in.count
        || PyBytes_Size(page) != 2 * CODES || PyBytes_Size(covered) != 5 * 8) {
        PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        return NULL;
    }
    const uint64_t *fields = (const uint64_t *)PyBytes_AsString(covered);
    CoveredPage one = {
        (const uint16_t *)PyBytes_AsString(page),
        {fields[0], fields[1]},
        {fields[2], fields[3]},
        fields[4],
    };
    Found found = {malloc((in.count + 1) * sizeof *found.matches), 0};
    if (!found.matches || !find_matches(&found, &in, &one)) {
        PyErr_NoMemory();
    } else {
        const char *rows = (const char *)found.matches;
        result = PyBytes_FromStringAndSize(rows, found.count * sizeof *found.matches);
    }
    free(found.matches);
    return result;
}
