#pragma once
// libvips behind plain C: its calls take any number of arguments, which Swift cannot pass, and its headers bring all of GLib.
//
// An image is pulled through its operations when somebody asks for its pixels, so a damaged file may show only then. Every
// function that makes an image gives it to the caller, who releases it; null means that it failed.
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An image, or the promise of one.
typedef struct _VipsImage muster_image;

/// How a thumbnail fits its square.
typedef enum {
    /// Whole, within the square, and never larger than it was.
    MUSTER_FIT_WITHIN,
    /// Filling the square, with what is beyond its middle cut off.
    MUSTER_FILL_SQUARE,
} muster_fit;

/// Starts the library, which then loads JPEG, PNG and WebP, and nothing else. False when it cannot be started.
bool muster_vips_start(void);

/// Reads the head of a picture and none of its pixels; `bytes` must outlive the image.
muster_image *muster_image_head(const void *bytes, size_t length);

/// Pixels from left to right, as they are stored.
int muster_image_width(const muster_image *image);

/// Pixels from top to bottom, as they are stored.
int muster_image_height(const muster_image *image);

/// Whether all of the picture must be held in memory to decode any of it.
bool muster_image_is_interlaced(const muster_image *image);

/// Decodes a picture, upright, in sRGB, into a square of `side` pixels; `bytes` must outlive the image.
///
/// Of a picture that `is_patched` nothing at all may be odd; of others, what its decoder can pass over.
muster_image *muster_image_thumbnail(const void *bytes, size_t length, int side, muster_fit fit, bool is_patched);

/// Fits an image within a square of `side` pixels.
muster_image *muster_image_shrunk(muster_image *image, int side);

/// The image on white instead of on nothing.
muster_image *muster_image_on_white(muster_image *image);

/// The image with its pixels in memory: from here on nothing of a file can be found damaged.
muster_image *muster_image_in_memory(muster_image *image);

/// Encodes an image as JPEG without any metadata. Null when it fails; else release it with `muster_bytes_release`.
void *muster_image_jpeg(muster_image *image, int quality, size_t *length);

/// The number of 8-bit values of a pixel, and all of them row by row, of an image that is in memory.
const unsigned char *muster_image_pixels(muster_image *image, int *bands);

/// Lets go of an image.
void muster_image_release(muster_image *image);

/// Lets go of bytes that were encoded.
void muster_bytes_release(void *bytes);

/// Forgets what the library noted of failures, which it would keep for ever.
void muster_vips_forget_failures(void);

#ifdef __cplusplus
}
#endif
