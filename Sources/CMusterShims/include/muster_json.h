#pragma once
// Reading JSON with simdjson, behind plain C.
//
// A parser reads one text at a time. Values point into the parser's memory: they and every string that came from them
// are valid until the parser reads the next text or is destroyed. Nothing here throws, and nothing recurses.
//
// Beyond simdjson: a whole number outside 64 bits reads as a double, and a number outside the range of doubles reads as
// the largest double of its sign, so that a number that is valid JSON never makes the whole text invalid.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Readable bytes that must follow the end of what is parsed; at least simdjson's own number, which is C++.
#define MUSTER_JSON_PADDING 64

#ifdef __cplusplus
extern "C" {
#endif

/// Owns the memory of one parsed text.
typedef struct muster_json_parser muster_json_parser;

/// A value of a parsed text; absent when `document` is null.
typedef struct {
    const void *document;
    size_t index;
} muster_json_value;

/// What a value is.
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

/// A value, read.
typedef struct {
    muster_json_kind kind;
    /// With `MUSTER_JSON_BOOL`.
    bool boolean;
    /// With `MUSTER_JSON_INTEGER`.
    int64_t integer;
    /// With `MUSTER_JSON_INTEGER` and `MUSTER_JSON_DOUBLE`; finite.
    double number;
    /// With `MUSTER_JSON_STRING`: valid UTF-8, unescaped, which may hold U+0000.
    const char *bytes;
    size_t length;
} muster_json_scalar;

/// A place between the members of an array or an object.
typedef struct {
    muster_json_value next;
    muster_json_value end;
} muster_json_cursor;

/// The fields of a fix and of the frame around it, found in one pass; those that are not there are absent.
typedef struct {
    muster_json_value type, id;
    muster_json_value seq, at, lat, lon, accuracy, altitude, speed, course, battery, trigger, answer;
} muster_json_fix;

/// Makes a parser; null when there is no memory. The caller destroys it.
muster_json_parser *muster_json_parser_create(void);

/// Frees a parser and everything that came from it.
void muster_json_parser_destroy(muster_json_parser *parser);

/// Parses one text. With `is_padded`, at least 64 readable bytes follow its end; otherwise it is copied.
///
/// Returns null and sets `root`, or returns what is wrong: a sentence that is never freed.
const char *muster_json_parse(
    muster_json_parser *parser, const void *bytes, size_t length, bool is_padded, muster_json_value *root);

/// Reads a value; an array or an object reads as its kind alone.
muster_json_scalar muster_json_read(muster_json_value value);

/// The first field of `object` whose name is `key`; absent when there is none, or when it is no object.
muster_json_value muster_json_field(muster_json_value object, const char *key, size_t length);

/// Collects the fields of a fix; of fields with the same name the first.
muster_json_fix muster_json_find_fix(muster_json_value object);

/// The place before the first member of an array or an object; at the end for anything else.
muster_json_cursor muster_json_begin(muster_json_value container);

/// Moves past an element of an array; false at the end.
bool muster_json_next_element(muster_json_cursor *cursor, muster_json_value *element);

/// Moves past a field of an object; false at the end.
bool muster_json_next_field(muster_json_cursor *cursor, muster_json_scalar *key, muster_json_value *value);

/// The number of members of an array or an object; 0 for anything else. Exact up to 16,777,214.
size_t muster_json_count(muster_json_value container);

#ifdef __cplusplus
}
#endif
