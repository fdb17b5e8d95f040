/* Patches: finds patch grams in pages, with the results of quilts/checks/patches.py. */

#include <Python.h>

#include "patches.h"
#include "types.h"

typedef struct {
    PyObject_HEAD
    Patches patches; /* its k is 0 until `init` has run */
} PatchesObject;

PyDoc_STRVAR(patches_doc,
"Patches(k, keys, checks)\n\n"
"Finds grams of k words in pages. They are distinct and sorted: 64 and 16 bits each.");

static int init(PatchesObject *self, PyObject *args, PyObject *named)
{
    unsigned int k;
    PyObject *keys, *checks;
    Patches *p = &self->patches;
    if (named && PyDict_Size(named)) {
        PyErr_SetString(PyExc_TypeError, "Patches has no named arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "ISS", &k, &keys, &checks)) return -1;
    size_t count = PyBytes_Size(keys) / 8;
    if (!k || p->k || count >= UINT32_MAX || 8 * count != (size_t)PyBytes_Size(keys)
        || 2 * count != (size_t)PyBytes_Size(checks)) {
        PyErr_SetString(PyExc_ValueError, "no grams");
        return -1;
    }
    p->count = count;
    p->grams = calloc(count + 1, sizeof *p->grams); /* one more may be prefetched */
    if (p->grams) {
        for (size_t i = 0; i < count; i++) {
            memcpy(&p->grams[i].key, PyBytes_AsString(keys) + 8 * i, 8);
            memcpy(&p->grams[i].check, PyBytes_AsString(checks) + 2 * i, 2);
        }
        if (index_patches(p)) {
            p->k = k;
            return 0;
        }
    }
    PyErr_NoMemory();
    return -1;
}

/* Set the words of a page. The caller closes it, even if this fails. */
static int open_page(const PatchesObject *self, PyObject *lanes, PyObject *text, Page *page)
{
    size_t size = PyBytes_Size(lanes);
    page->lanes = (const uint64_t *)PyBytes_AsString(lanes);
    page->text = (const uint8_t *)PyBytes_AsString(text);
    page->count = size / 16;
    if (self->patches.k && size % 16 == 0 && page->count < UINT32_MAX
        && split_words(page, PyBytes_Size(text)) && hash_page(page, self->patches.k))
        return 1;
    PyErr_SetString(PyExc_ValueError, "no page, or a text of other words");
    return 0;
}

static void close_page(Page *page)
{
    free(page->starts);
    free(page->grams);
}

PyDoc_STRVAR(count_doc,
"count(lanes, text) -> number of distinct grams of a page\n\n"
"`lanes` has two hashes of 64 bits for each word, `text` its bytes and a line feed. Return\n"
"-1 if grams with the same hash have different words.");

static PyObject *count(PatchesObject *self, PyObject *args)
{
    PyObject *lanes, *text;
    Page page = {0};
    long long found = -2;
    if (!PyArg_ParseTuple(args, "SS", &lanes, &text)) return NULL;
    int is_open = open_page(self, lanes, text, &page);
    if (is_open && (found = count_grams(&page, self->patches.k)) == -2) PyErr_NoMemory();
    close_page(&page);
    return found == -2 ? NULL : PyLong_FromLongLong(found);
}

PyDoc_STRVAR(find_doc,
"find(lanes, text, keeps) -> (places, rows, states)\n\n"
"Find the wanted grams of a page: the number of each, the row of its first word, and how\n"
"its words compare with those that are kept, 32 bits each. `keeps` says whether to keep\n"
"the words of grams that have none yet.");

static PyObject *pack_hits(const Hits *found)
{
    Py_ssize_t size = 4 * (Py_ssize_t)found->count;
    PyObject *columns[3];
    int is_done = 1;
    for (int i = 0; i < 3; i++) {
        columns[i] = PyBytes_FromStringAndSize(NULL, size);
        is_done &= columns[i] != NULL;
    }
    if (!is_done) {
        for (int i = 0; i < 3; i++) Py_XDECREF(columns[i]);
        return NULL;
    }
    uint32_t *places = (uint32_t *)PyBytes_AsString(columns[0]),
             *rows = (uint32_t *)PyBytes_AsString(columns[1]),
             *states = (uint32_t *)PyBytes_AsString(columns[2]);
    for (size_t i = 0; i < found->count; i++) {
        places[i] = found->hits[i].place;
        rows[i] = found->hits[i].row;
        states[i] = found->hits[i].state;
    }
    return Py_BuildValue("(NNN)", columns[0], columns[1], columns[2]);
}

static PyObject *find_all(PatchesObject *self, PyObject *args)
{
    PyObject *lanes, *text, *result = NULL;
    int keeps;
    Patches *p = &self->patches;
    Page page = {0};
    Hits found = {0};
    if (!PyArg_ParseTuple(args, "SSp", &lanes, &text, &keeps)) return NULL;
    if (open_page(self, lanes, text, &page)) {
        int is_done = find_patches(p, &page, &found)
                      && (!keeps || keep_words(p, &page, &found));
        finish_patches(p, &page, &found);
        result = is_done ? pack_hits(&found) : PyErr_NoMemory();
    }
    close_page(&page);
    free(found.hits);
    return result;
}

const char share_doc[] =
"share_patches(places, own, variants, first, position) -> number of grams, or -1\n\n"
"Compare the patch grams of a quilt, given by places and variants, with those of a source.\n"
"`variants`, a bytearray, has those of all wanted grams; -2 for what the source lacks.\n"
"`first`, another one, gets the position of the source where it is less. Return -1 if words\n"
"differ. All numbers have 32 bits.";

PyObject *share(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *places, *own, *variants, *first;
    int position;
    if (!PyArg_ParseTuple(args, "SSOOi", &places, &own, &variants, &first, &position))
        return NULL;
    if (!PyByteArray_Check(variants) || !PyByteArray_Check(first)) {
        PyErr_SetString(PyExc_TypeError, "bytearrays are expected");
        return NULL;
    }
    size_t count = PyBytes_Size(places) / 4, all = PyByteArray_Size(variants) / 4;
    const uint32_t *numbers = (const uint32_t *)PyBytes_AsString(places);
    int is_sound = (size_t)PyBytes_Size(own) == 4 * count
                   && (size_t)PyByteArray_Size(first) == 4 * count;
    for (size_t i = 0; i < count; i++) is_sound &= numbers[i] < all;
    if (!is_sound) {
        PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        return NULL;
    }
    return PyLong_FromLongLong(share_patches(
        numbers, (const int32_t *)PyBytes_AsString(own), count,
        (const int32_t *)PyByteArray_AsString(variants),
        (int32_t *)PyByteArray_AsString(first), position));
}

static void dealloc(PatchesObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free_patches(&self->patches);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef METHODS[] = {
    {"count", (PyCFunction)count, METH_VARARGS, count_doc},
    {"find", (PyCFunction)find_all, METH_VARARGS, find_doc},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot SLOTS[] = {
    {Py_tp_doc, (void *)patches_doc},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, METHODS},
    {0, NULL},
};
PyType_Spec PATCHES = {
    "mr_reuse._kernel.Patches", sizeof(PatchesObject), 0, Py_TPFLAGS_DEFAULT, SLOTS,
};
