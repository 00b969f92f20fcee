#define _GNU_SOURCE
#include "muster_thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic uint64_t next_id = 1;
static _Thread_local uint64_t own_id = 0;

uint64_t muster_thread_id(void) {
    if (own_id == 0) {
        own_id = atomic_fetch_add_explicit(&next_id, 1, memory_order_relaxed);
    }
    return own_id;
}

void muster_thread_set_name(const char *name) {
    char shortened[16];
    strncpy(shortened, name, sizeof shortened - 1);
    shortened[sizeof shortened - 1] = '\0';
    pthread_setname_np(pthread_self(), shortened);
}
