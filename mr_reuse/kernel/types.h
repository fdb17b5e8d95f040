/* The Python types of the module. */

#ifndef TYPES_H
#define TYPES_H
#include <Python.h>

extern PyType_Spec CUTTER, COUNTER, WORDS;

#endif
