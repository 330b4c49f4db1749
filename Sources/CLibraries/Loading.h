/// A library's functions under their own names, which load the library when they are first called.
///
/// A file defines FUNCTIONS(X), in which each X(result, name, parameters, arguments, otherwise) is
/// a function of the library, and then uses BIND(load, file name); the headers ensure that the
/// types are correct.
#pragma once

#if __linux__
#include <dlfcn.h>
#include <pthread.h>

#define SLOT(result, name, parameters, arguments, otherwise) __typeof__(name) *name;

#define FIND(result, name, parameters, arguments, otherwise)                                         \
  functions.name = (__typeof__(name) *)dlsym(library, #name);                                        \
  if (functions.name == NULL) return;

#define FORWARD(result, name, parameters, arguments, otherwise)                                      \
  result name parameters { return is_there() ? functions.name arguments : otherwise; }

#define BIND(load, file)                                                                             \
  static struct { FUNCTIONS(SLOT) } functions;                                                       \
  static bool is_loaded;                                                                             \
  static void find(void) {                                                                           \
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);                                             \
    if (library == NULL) return;                                                                     \
    FUNCTIONS(FIND)                                                                                  \
    is_loaded = true;                                                                                \
  }                                                                                                  \
  static bool is_there(void) {                                                                       \
    static pthread_once_t once = PTHREAD_ONCE_INIT;                                                  \
    pthread_once(&once, find);                                                                       \
    return is_loaded;                                                                                \
  }                                                                                                  \
  bool load(void) { return is_there(); }                                                             \
  FUNCTIONS(FORWARD)
#else
#define BIND(load, file)                                                                             \
  bool load(void) { return true; }
#endif
