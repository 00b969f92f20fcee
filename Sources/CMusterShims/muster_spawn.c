#define _GNU_SOURCE
#include "muster_spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

/// Starts a program in a session of its own, with no signal blocked or ignored. Destroys `actions`.
static int spawn(
    pid_t *process,
    posix_spawn_file_actions_t *actions,
    char *const arguments[],
    char *const environment[]
) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);

    int status = posix_spawn(process, arguments[0], actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(actions);
    return status;
}

int muster_spawn_detached(
    pid_t *process,
    char *const arguments[],
    char *const environment[],
    const char *folder,
    const char *output
) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    return spawn(process, &actions, arguments, environment);
}

int muster_spawn_child(pid_t *process, char *const arguments[], char *const environment[], int socket) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawn_file_actions_addchdir_np(&actions, "/");
    return spawn(process, &actions, arguments, environment);
}
