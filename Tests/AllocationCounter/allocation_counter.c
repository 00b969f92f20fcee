// Wrappers around the C library's allocation functions that count calls and bytes.
//
// All allocations of a process that links this file are counted, including those of shared libraries. The dynamic
// linker looks a symbol up in the program before the C library. The effect is that of a preloaded library, but it
// cannot be forgotten. glibc keeps its own functions reachable as `__libc_…`.
//
// Each thread counts in its own record, so counting takes no lock. Records are never freed: a probe has tens of
// threads. Threads beyond the last record share it, so all counters are atomic.

#define _GNU_SOURCE
#include "allocation_counter.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

enum { RECORDS = 4096 };

typedef struct {
    pid_t thread;
    atomic_int_fast64_t allocations, allocated_bytes, live_bytes;
} record;

static record records[RECORDS];
static atomic_int used;
// The initial-exec model of thread-local storage allocates no memory.
static __thread record *own __attribute__((tls_model("initial-exec")));

static record *own_record(void) {
    if (own == NULL) {
        const int index = atomic_fetch_add(&used, 1);
        own = &records[index < RECORDS ? index : RECORDS - 1];
        own->thread = gettid();
    }
    return own;
}

static void add(atomic_int_fast64_t *counter, int64_t value) {
    atomic_fetch_add_explicit(counter, value, memory_order_relaxed);
}

static void *took(void *memory) {
    if (memory == NULL) return NULL;
    const int64_t bytes = (int64_t)malloc_usable_size(memory);
    record *mine = own_record();
    add(&mine->allocations, 1);
    add(&mine->allocated_bytes, bytes);
    add(&mine->live_bytes, bytes);
    return memory;
}

void *malloc(size_t size) { return took(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return took(__libc_calloc(count, size)); }

void *memalign(size_t alignment, size_t size) { return took(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return took(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *memory = took(__libc_memalign(alignment, size));
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

void *realloc(void *memory, size_t size) {
    const int64_t old = memory == NULL ? 0 : (int64_t)malloc_usable_size(memory);
    void *moved = __libc_realloc(memory, size);
    // If `realloc` fails, the old memory remains, unless the new size is 0.
    if (moved != NULL || size == 0) add(&own_record()->live_bytes, -old);
    return took(moved);
}

void free(void *memory) {
    if (memory == NULL) return;
    add(&own_record()->live_bytes, -(int64_t)malloc_usable_size(memory));
    __libc_free(memory);
}

static void sum(allocation_counts *counts, record *one) {
    counts->allocations += atomic_load_explicit(&one->allocations, memory_order_relaxed);
    counts->allocated_bytes += atomic_load_explicit(&one->allocated_bytes, memory_order_relaxed);
    counts->live_bytes += atomic_load_explicit(&one->live_bytes, memory_order_relaxed);
}

static int record_count(void) {
    const int count = atomic_load(&used);
    return count < RECORDS ? count : RECORDS;
}

/// Returns whether a thread is alive and has this name.
static int is_named(pid_t thread, const char *name) {
    char path[64], found[32];
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", thread);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t length = read(file, found, sizeof found);
    close(file);
    // The kernel ends the name with a line feed.
    return length > 0 && (size_t)(length - 1) == strlen(name) && memcmp(found, name, strlen(name)) == 0;
}

allocation_counts allocation_counts_of_threads(const char *name) {
    allocation_counts counts = {0};
    for (int index = 0; index < record_count(); index++) {
        if (is_named(records[index].thread, name)) sum(&counts, &records[index]);
    }
    return counts;
}

allocation_counts allocation_counts_of_this_thread(void) {
    allocation_counts counts = {0};
    sum(&counts, own_record());
    return counts;
}

allocation_counts allocation_counts_of_other_threads(void) {
    const record *mine = own_record();
    allocation_counts counts = {0};
    for (int index = 0; index < record_count(); index++) {
        if (&records[index] != mine) sum(&counts, &records[index]);
    }
    return counts;
}
