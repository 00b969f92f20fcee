#include "muster_land.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char land[] = {
#embed "../../public/land.json"
};

const unsigned char *muster_land(size_t *length) {
    *length = sizeof land;
    return land;
}
