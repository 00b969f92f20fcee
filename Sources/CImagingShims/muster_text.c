#include "muster_text.h"

#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <stdlib.h>

#define FONTS "/usr/share/fonts/truetype/"

// In order of preference. Emoji are found without an entry.
static const char families[] = "DejaVu Sans,Droid Sans Fallback,WenQuanYi Micro Hei,FreeSans,FreeSerif";

// The first two are required: regular and bold letters of Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic.
// The others contain Chinese and Japanese; Korean; Indian scripts; Ethiopic, Thai and Tamil; and emoji.
static const char *const fonts[] = {
    FONTS "dejavu/DejaVuSans.ttf",
    FONTS "dejavu/DejaVuSans-Bold.ttf",
    FONTS "droid/DroidSansFallbackFull.ttf",
    FONTS "wqy/wqy-microhei.ttc",
    FONTS "freefont/FreeSans.ttf",
    FONTS "freefont/FreeSerif.ttf",
    FONTS "noto/NotoColorEmoji.ttf",
};

// Emoji are bitmaps of one size. With this configuration, fontconfig scales them.
static const char scaling[] = "/usr/share/fontconfig/conf.avail/10-scale-bitmap-fonts.conf";

// One character of each font.
static const char sample[] = "A王김अத👍";

static PangoContext *context;
// These layouts keep the fonts, and so their files, open.
static PangoLayout *samples[2];

/// Registers our fonts with fontconfig and none of the system's. Otherwise pango's thread would search for the system's
/// fonts.
static bool add_fonts(void) {
    if (setenv("FONTCONFIG_FILE", scaling, 1) || !FcInit()) return false;
    for (size_t each = 0; each < sizeof fonts / sizeof *fonts; each++) {
        if (!FcConfigAppFontAddFile(NULL, (const FcChar8 *)fonts[each]) && each < 2) return false;
    }
    return true;
}

/// Draws the samples to a hidden surface, because parts of a font are only read when it is drawn.
static void draw_samples(void) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 64, 32);
    cairo_t *canvas = cairo_create(surface);
    for (int is_bold = 0; is_bold < 2; is_bold++) {
        samples[is_bold] = muster_text_set(sample, sizeof sample - 1, 16, is_bold, 0);
        muster_text_draw(samples[is_bold], canvas, 0, 0);
    }
    cairo_destroy(canvas);
    cairo_surface_destroy(surface);
}

bool muster_text_start(void) {
    if (!add_fonts()) return false;
    PangoFontMap *map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
    context = pango_font_map_create_context(map);
    g_object_unref(map);

    // Settings that give the same pixels on every machine, independent of the position of a line.
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("en"));
    draw_samples();
    return true;
}

muster_text *muster_text_set(const char *text, size_t length, double pixels, bool is_bold, double width) {
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family_static(font, families);
    pango_font_description_set_weight(font, is_bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font, pixels * PANGO_SCALE);
    PangoLayout *layout = pango_layout_new(context);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_text(layout, text, (int)length);
    if (width > 0) {
        int natural;
        pango_layout_get_size(layout, &natural, NULL);
        if (natural > width * PANGO_SCALE) {
            pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
        }
    }
    return layout;
}

void muster_text_size(muster_text *text, double *width, double *height) {
    PangoRectangle whole;
    pango_layout_get_extents(text, NULL, &whole);
    *width = whole.width / (double)PANGO_SCALE;
    *height = whole.height / (double)PANGO_SCALE;
}

int muster_text_unknown(muster_text *text) { return pango_layout_get_unknown_glyphs_count(text); }

static void move_to_corner(muster_text *text, cairo_t *canvas, double x, double y) {
    PangoRectangle whole;
    pango_layout_get_extents(text, NULL, &whole);
    // A right-to-left line with a set width is aligned to the right, so the offset is subtracted.
    cairo_move_to(canvas, x - whole.x / (double)PANGO_SCALE, y - whole.y / (double)PANGO_SCALE);
}

void muster_text_draw(muster_text *text, cairo_t *canvas, double x, double y) {
    move_to_corner(text, canvas, x, y);
    pango_cairo_show_layout(canvas, text);
}

void muster_text_path(muster_text *text, cairo_t *canvas, double x, double y) {
    move_to_corner(text, canvas, x, y);
    pango_cairo_layout_path(canvas, text);
}

void muster_text_release(muster_text *text) { g_object_unref(text); }
