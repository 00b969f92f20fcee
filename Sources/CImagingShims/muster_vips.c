#include "muster_vips.h"

#include <stdlib.h>
#include <vips/vips.h>

bool muster_vips_start(void) {
    // libvips searches this folder for modules of other formats. It does not exist.
    setenv("VIPSHOME", "/nonexistent", 1);
    if (vips_init("muster-imaging")) return false;
    vips_operation_block_set("VipsForeignLoad", TRUE);
    vips_operation_block_set("VipsForeignLoadJpeg", FALSE);
    vips_operation_block_set("VipsForeignLoadPng", FALSE);
    vips_operation_block_set("VipsForeignLoadWebp", FALSE);
    // The cache is off, because no picture is requested twice.
    vips_cache_set_max(0);
    return true;
}

muster_image *muster_image_head(const void *bytes, size_t length) {
    return vips_image_new_from_buffer(bytes, length, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

int muster_image_width(const muster_image *image) { return vips_image_get_width(image); }

int muster_image_height(const muster_image *image) { return vips_image_get_height(image); }

bool muster_image_is_interlaced(const muster_image *image) {
    int is_interlaced = 0;
    if (!vips_image_get_typeof(image, "interlaced")) return false;
    return !vips_image_get_int(image, "interlaced", &is_interlaced) && is_interlaced;
}

/// Returns whether a picture contains a colour profile. Without one it already is sRGB, which a conversion by profile
/// would change. CMYK is converted anyway.
static bool has_profile(const void *bytes, size_t length) {
    VipsImage *head = muster_image_head(bytes, length);
    if (!head) return false;
    bool has = vips_image_get_typeof(head, VIPS_META_ICC_NAME);
    g_object_unref(head);
    return has;
}

muster_image *muster_image_thumbnail(const void *bytes, size_t length, int side, muster_fit fit, bool is_patched) {
    bool fills = fit == MUSTER_FILL_SQUARE;
    VipsImage *thumbnail = NULL;
    // The operation's own `fail_on` is ignored (8.14); the one of its loader is not.
    int status = vips_thumbnail_buffer(
        (void *)bytes, length, &thumbnail, side,
        "height", side,
        "size", fills ? VIPS_SIZE_BOTH : VIPS_SIZE_DOWN,
        "crop", fills ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE,
        // A JPEG whose missing end was added is complete if its decoder reports no warning before that end.
        "option_string", is_patched ? "[fail_on=warning]" : "[fail_on=truncated]",
        has_profile(bytes, length) ? "export_profile" : NULL, "srgb",
        NULL
    );
    return status ? NULL : thumbnail;
}

muster_image *muster_image_shrunk(muster_image *image, int side) {
    VipsImage *shrunk = NULL;
    return vips_thumbnail_image(image, &shrunk, side, "height", side, "size", VIPS_SIZE_DOWN, NULL) ? NULL : shrunk;
}

muster_image *muster_image_on_white(muster_image *image) {
    if (!vips_image_hasalpha(image)) return g_object_ref(image);
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    VipsImage *flat = NULL;
    int status = vips_flatten(image, &flat, "background", white, NULL);
    vips_area_unref(VIPS_AREA(white));
    return status ? NULL : flat;
}

muster_image *muster_image_in_memory(muster_image *image) { return vips_image_copy_memory(image); }

void *muster_image_jpeg(muster_image *image, int quality, size_t *length) {
    void *bytes = NULL;
    int status =
        vips_jpegsave_buffer(image, &bytes, length, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
    return status ? NULL : bytes;
}

const unsigned char *muster_image_pixels(muster_image *image, int *bands) {
    if (vips_image_get_format(image) != VIPS_FORMAT_UCHAR) return NULL;
    *bands = vips_image_get_bands(image);
    return vips_image_get_data(image);
}

void muster_image_release(muster_image *image) { g_object_unref(image); }

void muster_bytes_release(void *bytes) { g_free(bytes); }

void muster_vips_forget_failures(void) { vips_error_clear(); }
