#pragma once
// Pango behind plain C, because SwiftPM rejects the compiler flags of Pango's pkg-config file.
//
// Text is set in a few fixed fonts, so that a picture looks the same on every machine. All fonts are opened at the
// start, because a confined process cannot open files.
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _cairo cairo_t;

/// A laid out line of text.
typedef struct _PangoLayout muster_text;

/// Opens the fonts, once for each process. Returns false if the Latin font is missing. Letters of other missing fonts
/// are drawn as boxes.
bool muster_text_start(void);

/// Lays out a line of UTF-8 with a font size in pixels. A line wider than `width` ends in an ellipsis; 0 for any width.
/// The caller releases it.
muster_text *muster_text_set(const char *text, size_t length, double pixels, bool is_bold, double width);

/// Stores the width and height in pixels.
void muster_text_size(muster_text *text, double *width, double *height);

/// Returns the number of characters that no font contains.
int muster_text_unknown(muster_text *text);

/// Draws the line with its upper left corner at a position, in the canvas's current colour.
void muster_text_draw(muster_text *text, cairo_t *canvas, double x, double y);

/// Adds the outlines of the line's letters to the canvas's path, with the upper left corner at a position. Emoji have
/// none.
void muster_text_path(muster_text *text, cairo_t *canvas, double x, double y);

/// Releases the line.
void muster_text_release(muster_text *text);

#ifdef __cplusplus
}
#endif
