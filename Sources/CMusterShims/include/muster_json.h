#pragma once
// A JSON parser behind plain C, based on simdjson.
//
// A parser holds one text at a time. Values point into the parser's memory. Values and strings from them are valid
// until the parser reads the next text or is destroyed. No function throws or recurses.
//
// In addition to simdjson: an integer outside 64 bits is read as a double. A number outside the range of doubles is
// read as the largest double of its sign. So a number that is valid JSON never makes the whole text invalid.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The number of readable bytes that must follow a text; at least simdjson's own value, which is only defined in C++.
#define MUSTER_JSON_PADDING 64

#ifdef __cplusplus
extern "C" {
#endif

/// The owner of the memory of one parsed text.
typedef struct muster_json_parser muster_json_parser;

/// A value of a parsed text; absent when `document` is null.
typedef struct {
    const void *document;
    size_t index;
} muster_json_value;

/// The kind of a value.
typedef enum {
    MUSTER_JSON_ABSENT,
    MUSTER_JSON_NULL,
    MUSTER_JSON_BOOL,
    MUSTER_JSON_INTEGER,
    MUSTER_JSON_DOUBLE,
    MUSTER_JSON_STRING,
    MUSTER_JSON_ARRAY,
    MUSTER_JSON_OBJECT,
} muster_json_kind;

/// A decoded value.
typedef struct {
    muster_json_kind kind;
    /// With `MUSTER_JSON_BOOL`.
    bool boolean;
    /// With `MUSTER_JSON_INTEGER`.
    int64_t integer;
    /// With `MUSTER_JSON_INTEGER` and `MUSTER_JSON_DOUBLE`; finite.
    double number;
    /// With `MUSTER_JSON_STRING`: valid UTF-8, unescaped, which may contain U+0000.
    const char *bytes;
    size_t length;
} muster_json_scalar;

/// A position between the members of an array or an object.
typedef struct {
    muster_json_value next;
    muster_json_value end;
} muster_json_cursor;

/// The fields of a fix and of its frame, found in one pass. Missing fields are absent.
typedef struct {
    muster_json_value type, id;
    muster_json_value seq, at, lat, lon, accuracy, altitude, speed, course, battery, trigger, answer;
} muster_json_fix;

/// Creates a parser; null when there is no memory. The caller destroys it.
muster_json_parser *muster_json_parser_create(void);

/// Frees a parser and all values from it.
void muster_json_parser_destroy(muster_json_parser *parser);

/// Parses one text. With `is_padded`, at least 64 readable bytes follow its end; otherwise it is copied.
///
/// Returns null and sets `root`, or returns an error message, which is never freed.
const char *muster_json_parse(
    muster_json_parser *parser, const void *bytes, size_t length, bool is_padded, muster_json_value *root);

/// Decodes a value. For an array or an object, only the kind is set.
muster_json_scalar muster_json_read(muster_json_value value);

/// Returns the first field of `object` with the name `key`; absent when there is none, or when `object` is not an
/// object.
muster_json_value muster_json_field(muster_json_value object, const char *key, size_t length);

/// Collects the fields of a fix. Of fields with the same name, the first one counts.
muster_json_fix muster_json_find_fix(muster_json_value object);

/// Returns the position before the first member of an array or an object; at the end for any other value.
muster_json_cursor muster_json_begin(muster_json_value container);

/// Moves past an element of an array; false at the end.
bool muster_json_next_element(muster_json_cursor *cursor, muster_json_value *element);

/// Moves past a field of an object; false at the end.
bool muster_json_next_field(muster_json_cursor *cursor, muster_json_scalar *key, muster_json_value *value);

/// Returns the number of members of an array or an object; 0 for any other value. Exact up to 16,777,214.
size_t muster_json_count(muster_json_value container);

#ifdef __cplusplus
}
#endif
