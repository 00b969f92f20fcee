#pragma once
// C library headers that Swift's Glibc module omits.
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
