#pragma once
#include <maxminddb.h>
#include <math.h>

// Swift cannot call functions with variable arguments, and reads no unions by their kind.

// A number of an entry, by the keys that lead to it; NaN when there is none.
static inline double muster_maxminddb_number(MMDB_entry_s *entry, const char *first, const char *second) {
    MMDB_entry_data_s data;
    if (MMDB_get_value(entry, &data, first, second, NULL) != MMDB_SUCCESS || !data.has_data) return NAN;
    switch (data.type) {
    case MMDB_DATA_TYPE_DOUBLE: return data.double_value;
    case MMDB_DATA_TYPE_FLOAT: return data.float_value;
    case MMDB_DATA_TYPE_UINT16: return data.uint16;
    case MMDB_DATA_TYPE_UINT32: return data.uint32;
    default: return NAN;
    }
}
