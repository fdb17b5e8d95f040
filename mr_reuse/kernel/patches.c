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
"Finds grams of k words in pages. They are distinct: 64 and 16 bits each.");

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
    if (p->slots && p->filter)
        PyErr_SetString(PyExc_ValueError, "a gram comes twice");
    else
        PyErr_NoMemory();
    return -1;
}

/* Set the words of a page; without a text, they are not compared. The caller closes it, even
   if this fails. */
static int open_page(const PatchesObject *self, PyObject *lanes, PyObject *text, Page *page)
{
    size_t size = PyBytes_Size(lanes);
    int has_text = text != Py_None;
    if (has_text && !PyBytes_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "bytes are expected");
        return 0;
    }
    page->lanes = (const uint64_t *)PyBytes_AsString(lanes);
    page->text = has_text ? (const uint8_t *)PyBytes_AsString(text) : NULL;
    page->count = size / 16;
    if (self->patches.k && size % 16 == 0 && page->count < UINT32_MAX
        && (!has_text || split_words(page, PyBytes_Size(text)))
        && hash_page(page, self->patches.k))
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
"find(lanes, text or None, continues) -> (places, rows, clashes)\n\n"
"Find the wanted grams of a page, or of a further part of it that `continues` the one\n"
"before: the number of each, and the row of its first word; and the numbers of those whose\n"
"words are others than on an earlier page. All have 32 bits. Without a text, the words are\n"
"not compared.");

static PyObject *pack_found(const Found *found)
{
    Py_ssize_t size = 4 * (Py_ssize_t)found->count;
    PyObject *places = PyBytes_FromStringAndSize(NULL, size),
             *rows = PyBytes_FromStringAndSize(NULL, size),
             *clashes = PyBytes_FromStringAndSize((const char *)found->clashes,
                                                  4 * (Py_ssize_t)found->clash_count);
    if (!places || !rows || !clashes) {
        Py_XDECREF(places);
        Py_XDECREF(rows);
        Py_XDECREF(clashes);
        return NULL;
    }
    uint32_t *of_hits = (uint32_t *)PyBytes_AsString(places),
             *at = (uint32_t *)PyBytes_AsString(rows);
    for (size_t i = 0; i < found->count; i++) {
        of_hits[i] = found->hits[i].place;
        at[i] = found->hits[i].row;
    }
    return Py_BuildValue("(NNN)", places, rows, clashes);
}

/* Begin another page. */
static void next_page(Patches *p)
{
    if (++p->page) return;
    for (size_t i = 0; i < p->count; i++) p->grams[i].page = 0;
    p->page = 1;
}

static PyObject *find_all(PatchesObject *self, PyObject *args)
{
    PyObject *lanes, *text, *result = NULL;
    int continues;
    Patches *p = &self->patches;
    Page page = {0};
    Found found = {0};
    if (!PyArg_ParseTuple(args, "SOp", &lanes, &text, &continues)) return NULL;
    if (open_page(self, lanes, text, &page)) {
        if (!continues || !p->page) next_page(p);
        result = find_patches(p, &page, &found) ? pack_found(&found) : PyErr_NoMemory();
    }
    close_page(&page);
    free(found.hits);
    free(found.clashes);
    free(found.rows);
    return result;
}

PyDoc_STRVAR(words_doc,
"words() -> (starts, sizes, text)\n\n"
"Return the words that are kept: of each gram where they are in a text, 64 and 32 bits, size\n"
"0 if it has none; and the text.");

static PyObject *words(PatchesObject *self, PyObject *nothing)
{
    (void)nothing;
    const Patches *p = &self->patches;
    PyObject *starts = PyBytes_FromStringAndSize(NULL, 8 * (Py_ssize_t)p->count),
             *sizes = PyBytes_FromStringAndSize(NULL, 4 * (Py_ssize_t)p->count),
             *text = PyBytes_FromStringAndSize((const char *)p->text,
                                               (Py_ssize_t)p->text_size);
    if (!starts || !sizes || !text) {
        Py_XDECREF(starts);
        Py_XDECREF(sizes);
        Py_XDECREF(text);
        return NULL;
    }
    for (size_t i = 0; i < p->count; i++) {
        memcpy(PyBytes_AsString(starts) + 8 * i, &p->grams[i].start, 8);
        memcpy(PyBytes_AsString(sizes) + 4 * i, &p->grams[i].size, 4);
    }
    return Py_BuildValue("(NNN)", starts, sizes, text);
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
    {"words", (PyCFunction)words, METH_NOARGS, words_doc},
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
