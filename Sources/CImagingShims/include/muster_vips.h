#pragma once
// libvips behind plain C: its functions are variadic, which Swift cannot call, and its headers include all of GLib.
//
// An image is evaluated lazily when its pixels are requested, so a damaged file may only fail then. A function that
// creates an image passes ownership to the caller, who releases it. Null means failure.
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An image, possibly not evaluated yet.
typedef struct _VipsImage muster_image;

/// The way in which a thumbnail fits its square.
typedef enum {
    /// The whole picture within the square, never enlarged.
    MUSTER_FIT_WITHIN,
    /// Filling the square, cropped around the centre.
    MUSTER_FILL_SQUARE,
} muster_fit;

/// Starts the library with the loaders of JPEG, PNG and WebP only. Returns false on failure.
bool muster_vips_start(void);

/// Reads the head of a picture without its pixels. `bytes` must outlive the image.
muster_image *muster_image_head(const void *bytes, size_t length);

/// Returns the width as stored, in pixels.
int muster_image_width(const muster_image *image);

/// Returns the height as stored, in pixels.
int muster_image_height(const muster_image *image);

/// Returns whether decoding any part needs the whole picture in memory.
bool muster_image_is_interlaced(const muster_image *image);

/// Decodes a picture, upright, in sRGB, into a square of `side` pixels. `bytes` must outlive the image.
///
/// For a picture that `is_patched`, any warning of the decoder is a failure. For others, only truncation is.
muster_image *muster_image_thumbnail(const void *bytes, size_t length, int side, muster_fit fit, bool is_patched);

/// Scales an image down to fit in a square of `side` pixels.
muster_image *muster_image_shrunk(muster_image *image, int side);

/// Returns the image on a white background instead of transparency.
muster_image *muster_image_on_white(muster_image *image);

/// Returns the image with its pixels in memory, so that later operations cannot fail because of a damaged file.
muster_image *muster_image_in_memory(muster_image *image);

/// Encodes an image as JPEG without metadata. Returns null on failure; else release the bytes with
/// `muster_bytes_release`.
void *muster_image_jpeg(muster_image *image, int quality, size_t *length);

/// Returns the 8-bit values of all pixels of an image in memory, row by row. Stores the number of values a pixel in
/// `bands`.
const unsigned char *muster_image_pixels(muster_image *image, int *bands);

/// Releases an image.
void muster_image_release(muster_image *image);

/// Releases encoded bytes.
void muster_bytes_release(void *bytes);

/// Clears the library's error buffer, which would grow without limit.
void muster_vips_forget_failures(void);

#ifdef __cplusplus
}
#endif
