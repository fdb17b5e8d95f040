/* mr_reuse._kernel: the code that takes most of the time. Each function has an equal in
   Python.

   No format of PyArg_ParseTuple or Py_BuildValue in these files has a '#'. Compiled by a
   newer Python, it would pass a length of another type than an older Python expects, and
   one build has to work with all of them. */
#include <Python.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "find.h"
#include "hash.h"
#include "head.h"
#include "types.h"

enum {
    VERSION = 13, /* of this interface, as in __init__.py; raise both together */
    MAX_NAME = 64,
};

static PyObject *how(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    return PyUnicode_FromString(hash_with());
}

static PyObject *choose(PyObject *module, PyObject *name)
{
    (void)module;
    PyObject *text = PyUnicode_AsUTF8String(name);
    if (!text) return NULL;
    int possible = hash_choose(PyBytes_AsString(text));
    Py_DECREF(text);
    return PyBool_FromLong(possible);
}

/* Return a name of up to MAX_NAME bytes, in lower case. */
static PyObject *name_of(Text text)
{
    char name[MAX_NAME];
    for (size_t i = 0; i < text.size; i++) {
        char c = text.at[i];
        name[i] = c >= 'A' && c <= 'Z' ? c | 32 : c;
    }
    return PyUnicode_DecodeLatin1(name, text.size, NULL);
}

static PyObject *text_bytes(Text text)
{
    return PyBytes_FromStringAndSize(text.at ? text.at : "", text.size);
}

static PyObject *ascii_of(Text text)
{
    return PyUnicode_DecodeASCII(text.at ? text.at : "", text.size, "replace");
}

/* Limit a bound of a slice as Python does: negative ones count from the end. */
static Py_ssize_t bounded(Py_ssize_t at, Py_ssize_t size)
{
    if (at < 0) at += size;
    return at < 0 ? 0 : at > size ? size : at;
}

static PyObject *record_of(Text text, int is_alone)
{
    Head head;
    if (!read_head(&head, text, is_alone) || head.fields[TYPE].size > MAX_NAME)
        Py_RETURN_NONE;
    const Text *fields = head.fields;
    return Py_BuildValue(
        "((NNNNnNNNNs)ninN)", name_of(fields[TYPE]), text_bytes(fields[URL]),
        ascii_of(fields[DATE]), ascii_of(fields[IP]), (Py_ssize_t)head.length,
        text_bytes(fields[CONTENT_TYPE]), ascii_of(fields[RECORD_ID]),
        ascii_of(fields[PAYLOAD_DIGEST]), ascii_of(fields[TRUNCATED]), "",
        (Py_ssize_t)head.start, head.status, (Py_ssize_t)head.body,
        text_bytes(head.content_type));
}

/* Set the text of a member. */
static int text_of(PyObject *member, Text *text)
{
    if (PyByteArray_Check(member)) {
        *text = (Text){PyByteArray_AsString(member), PyByteArray_Size(member)};
    } else if (PyBytes_Check(member)) {
        *text = (Text){PyBytes_AsString(member), PyBytes_Size(member)};
    } else {
        PyErr_SetString(PyExc_TypeError, "bytes or a bytearray are expected");
        return 0;
    }
    return 1;
}

static PyObject *ordinary(PyObject *module, PyObject *member)
{
    (void)module;
    Text text;
    return text_of(member, &text) ? record_of(text, 1) : NULL;
}

PyDoc_STRVAR(facts_doc,
"facts(member) -> (type, date, ip, content type)\n\n"
"Return fields of a record that `glance` has read. The content type is that of the message\n"
"if there is one.");

static PyObject *facts(PyObject *module, PyObject *member)
{
    (void)module;
    Text text;
    Head head;
    if (!text_of(member, &text)) return NULL;
    if (!read_head(&head, text, 1) || head.fields[TYPE].size > MAX_NAME) {
        PyErr_SetString(PyExc_ValueError, "a member at which `glance` gives up");
        return NULL;
    }
    Text content_type = head.status < 0 ? head.fields[CONTENT_TYPE] : head.content_type;
    return Py_BuildValue("(NNNN)", name_of(head.fields[TYPE]), ascii_of(head.fields[DATE]),
                         ascii_of(head.fields[IP]), text_bytes(content_type));
}

static PyObject *ordinary_at(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *data;
    Py_ssize_t start;
    if (!PyArg_ParseTuple(args, "Sn", &data, &start)) return NULL;
    Py_ssize_t size = PyBytes_Size(data);
    start = bounded(start, size);
    return record_of((Text){PyBytes_AsString(data) + start, size - start}, 0);
}

PyDoc_STRVAR(ordinary_doc,
"ordinary(bytes or bytearray) -> ((type, url, date, ip, length, content type, record id,\n"
"    payload digest, truncated, ''), start, status, body, content type of the message),\n"
"    or None\n\n"
"Read the header of a member that holds a single record. `start` is the offset of its\n"
"block. `body` is the offset of the HTTP body in the block. The status is -1 if there is\n"
"no HTTP message, or an unusual one. Return None if the record itself is unusual.");

static PyObject *find(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *where, *what;
    char *data, *bytes;
    Py_ssize_t size, length, start = 0, stop = PY_SSIZE_T_MAX;
    if (!PyArg_ParseTuple(args, "SS|nn", &where, &what, &start, &stop)
        || PyBytes_AsStringAndSize(where, &data, &size)
        || PyBytes_AsStringAndSize(what, &bytes, &length))
        return NULL;
    if (!length) {
        PyErr_SetString(PyExc_ValueError, "nothing to find");
        return NULL;
    }
    start = bounded(start, size), stop = bounded(stop, size);
    const uint8_t *found = NULL, *base = (const uint8_t *)data;
    if (start < stop)
        found = find_bytes(base + start, base + stop, (const uint8_t *)bytes, length);
    return PyLong_FromSsize_t(found ? found - base : -1);
}

/* Without this, glibc returns freed memory to the system, which then maps and clears it
   page by page for the next batch of a task. Both bounds are in bytes. */
static PyObject *keep_freed(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
#endif
    Py_RETURN_NONE;
}

static PyMethodDef FUNCTIONS[] = {
    {"agree", agree, METH_VARARGS, agree_doc},
    {"facts", facts, METH_O, facts_doc},
    {"find", find, METH_VARARGS, "find(bytes, few, start, stop) -> int, like bytes.find, but without None"},
    {"find_alike", find_alike, METH_VARARGS, find_alike_doc},
    {"ordinary", ordinary, METH_O, ordinary_doc},
    {"ordinary_at", ordinary_at, METH_VARARGS,
     "ordinary_at(bytes, start): as `ordinary`, of a record that others may follow"},
    {"glance", glance, METH_VARARGS, glance_doc},
    {"greedy_cover", greedy_cover, METH_VARARGS, greedy_cover_doc},
    {"match_pages", match_pages, METH_VARARGS, match_pages_doc},
    {"how", how, METH_NOARGS, "how() -> name of the instructions that hash"},
    {"keep_freed", keep_freed, METH_NOARGS,
     "keep_freed(): keep freed memory, up to a bound, where malloc has a setting for it"},
    {"choose", choose, METH_O,
     "choose(name) -> bool: select instructions, '' for the fastest, if the CPU has them"},
    {NULL, NULL, 0, NULL},
};
static PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "_kernel", "Cuts, hashes and counts in C.", -1, FUNCTIONS,
    NULL, NULL, NULL, NULL,
};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    if (type && !PyModule_AddObject(module, name, type)) return 1;
    Py_XDECREF(type);
    return 0;
}

PyMODINIT_FUNC PyInit__kernel(void)
{
    PyObject *module = PyModule_Create(&MODULE);
    if (module && (PyModule_AddIntConstant(module, "VERSION", VERSION)
                   || !add_type(module, "Cutter", &CUTTER)
                   || !add_type(module, "Counter", &COUNTER)
                   || !add_type(module, "Fingerprints", &PRINTS)
                   || !add_type(module, "Grams", &GRAMS)
                   || !add_type(module, "GramLists", &GRAM_LISTS)
                   || !add_type(module, "GramTable", &GRAM_TABLE)
                   || !add_type(module, "Lines", &LINES)
                   || !add_type(module, "Patches", &PATCHES)
                   || !add_type(module, "Shingles", &SHINGLES)
                   || !add_type(module, "Words", &WORDS))) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
