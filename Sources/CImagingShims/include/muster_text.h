#pragma once
// Pango behind plain C: its own description of how to compile against it is one that SwiftPM refuses.
//
// Text is set in a few fonts that are named here, so that a picture looks the same on every machine, and all of them are opened
// at the start: once the process is confined, no file can be.
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _cairo cairo_t;

/// A line of text that is set.
typedef struct _PangoLayout muster_text;

/// Opens the fonts, once a process. False when the one for Latin letters is missing; without the others, those letters become
/// boxes.
bool muster_text_start(void);

/// Sets a line of UTF-8 in letters of so many pixels; what is wider than `width` ends in an ellipsis, 0 for any width. The
/// caller releases it.
muster_text *muster_text_set(const char *text, size_t length, double pixels, bool is_bold, double width);

/// How wide and how high it is, in pixels.
void muster_text_size(muster_text *text, double *width, double *height);

/// How many of its letters no font has.
int muster_text_unknown(muster_text *text);

/// Draws it with its upper left corner at a place, in the colour that is set.
void muster_text_draw(muster_text *text, cairo_t *canvas, double x, double y);

/// Lets go of it.
void muster_text_release(muster_text *text);

#ifdef __cplusplus
}
#endif
