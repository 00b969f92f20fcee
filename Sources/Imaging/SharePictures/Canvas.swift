import CCairo
import ImagingWire

/// The owner of a cairo surface and of its drawing context.
struct Canvas: ~Copyable {
    private let surface: OpaquePointer
    private let context: OpaquePointer
    private let size: (width: Int, height: Int)

    /// Creates a black canvas.
    init(width: Int, height: Int) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
            let context = cairo_create(surface)
        else { preconditionFailure("cairo gives an object also where it has no memory") }
        self.surface = surface
        self.context = context
        self.size = (width, height)
    }

    deinit {
        cairo_destroy(self.context)
        cairo_surface_destroy(self.surface)
    }

    /// Returns the canvas as a PNG.
    ///
    /// - Throws: when memory is short.
    func png() throws(ImagingRefusal) -> Picture {
        var bytes: [UInt8] = []
        let status = withUnsafeMutablePointer(to: &bytes) { bytes in
            cairo_surface_write_to_png_stream(
                self.surface,
                { closure, piece, count in
                    guard let bytes = closure?.assumingMemoryBound(to: [UInt8].self) else {
                        return CAIRO_STATUS_WRITE_ERROR
                    }
                    bytes.pointee += UnsafeBufferPointer(start: piece, count: Int(count))
                    return CAIRO_STATUS_SUCCESS
                },
                bytes
            )
        }
        guard status == CAIRO_STATUS_SUCCESS else { throw .damaged }
        return Picture(width: self.size.width, height: self.size.height, bytes: bytes)
    }

    // MARK: Ink

    /// Sets the colour, 0xRRGGBB, and the opacity of the following operations.
    func ink(_ colour: UInt32, opacity: Double = 1) {
        func part(_ shift: UInt32) -> Double { Double(colour >> shift & 0xFF) / 255 }
        cairo_set_source_rgba(self.context, part(16), part(8), part(0), opacity)
    }

    /// Fills the whole canvas.
    func paint() { cairo_paint(self.context) }

    /// Fills the path by the even-odd rule.
    func fill() {
        cairo_set_fill_rule(self.context, CAIRO_FILL_RULE_EVEN_ODD)
        cairo_fill(self.context)
    }

    /// Fills the path by the direction of its rings.
    func fillByWinding() {
        cairo_set_fill_rule(self.context, CAIRO_FILL_RULE_WINDING)
        cairo_fill(self.context)
    }

    /// Fills the path and keeps it.
    func fillAndKeep() { cairo_fill_preserve(self.context) }

    /// Strokes the path, with an optional dash pattern.
    func stroke(width: Double, dash: [Double] = []) {
        cairo_set_line_width(self.context, width)
        cairo_set_dash(self.context, dash, Int32(dash.count), 0)
        cairo_stroke(self.context)
    }

    /// Strokes the path with round corners.
    func strokeRounded(width: Double, dash: [Double] = [], hasRoundEnds: Bool = false) {
        cairo_save(self.context)
        cairo_set_line_join(self.context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_cap(self.context, hasRoundEnds ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
        self.stroke(width: width, dash: dash)
        cairo_restore(self.context)
    }

    // MARK: Paths

    /// Adds a rectangle with optional rounded corners.
    func add(_ box: Box, radius: Double = 0) {
        guard radius > 0 else {
            cairo_rectangle(self.context, box.x, box.y, box.width, box.height)
            return
        }
        let (left, right) = (box.x + radius, box.x + box.width - radius)
        let (top, bottom) = (box.y + radius, box.y + box.height - radius)
        cairo_new_sub_path(self.context)
        cairo_arc(self.context, right, top, radius, -.pi / 2, 0)
        cairo_arc(self.context, right, bottom, radius, 0, .pi / 2)
        cairo_arc(self.context, left, bottom, radius, .pi / 2, .pi)
        cairo_arc(self.context, left, top, radius, .pi, 3 * .pi / 2)
        cairo_close_path(self.context)
    }

    /// Adds a circle.
    func addCircle(around middle: Pixel, radius: Double) {
        cairo_new_sub_path(self.context)
        cairo_arc(self.context, middle.x, middle.y, radius, 0, 2 * .pi)
    }

    /// Adds a line through points.
    func addLine(_ places: some Sequence<Pixel>, isClosed: Bool = false) {
        cairo_new_sub_path(self.context)
        for place in places { cairo_line_to(self.context, place.x, place.y) }
        if isClosed { cairo_close_path(self.context) }
    }

    // MARK: Text and pictures

    /// Draws a line of text with its upper left corner at a position.
    func draw(_ line: TextLine, at corner: Pixel) { line.draw(on: self.context, at: corner) }

    /// Draws a line of text around a position, turned by an angle, with an outline of the letters.
    func draw(
        _ line: TextLine,
        around middle: Pixel,
        angle: Double,
        colour: UInt32,
        halo: UInt32,
        haloWidth: Double
    ) {
        cairo_save(self.context)
        cairo_translate(self.context, middle.x, middle.y)
        cairo_rotate(self.context, angle)
        let corner = Pixel(x: -line.width / 2, y: -line.height / 2)
        cairo_new_path(self.context)
        line.addPath(to: self.context, at: corner)
        self.ink(halo)
        self.strokeRounded(width: haloWidth)
        self.ink(colour)
        line.draw(on: self.context, at: corner)
        cairo_restore(self.context)
    }

    /// Clips all drawing of `body` to the path.
    func withinPath(_ body: () -> Void) {
        cairo_save(self.context)
        cairo_clip(self.context)
        body()
        cairo_restore(self.context)
    }

    /// Draws a square of pixels, 0xRRGGBB row by row, with its upper left corner at a position.
    func draw(_ pixels: [UInt32], side: Int, at corner: Pixel) {
        self.withImage(of: pixels, side: side) { image in
            cairo_set_source_surface(self.context, image, corner.x, corner.y)
            cairo_paint(self.context)
        }
    }

    /// Fills a rectangle with a scaled square of pixels, 0xRRGGBB row by row.
    func draw(_ pixels: [UInt32], side: Int, filling box: Box, opacity: Double) {
        self.withImage(of: pixels, side: side) { image in
            cairo_save(self.context)
            self.add(box)
            cairo_clip(self.context)
            cairo_translate(self.context, box.x, box.y)
            cairo_scale(self.context, box.width / Double(side), box.height / Double(side))
            cairo_set_source_surface(self.context, image, 0, 0)
            // So that the edges are not blended with transparency.
            cairo_pattern_set_extend(cairo_get_source(self.context), CAIRO_EXTEND_PAD)
            cairo_paint_with_alpha(self.context, opacity)
            cairo_restore(self.context)
        }
    }

    private func withImage(of pixels: [UInt32], side: Int, _ body: (OpaquePointer) -> Void) {
        guard let image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(side), Int32(side)) else { return }
        defer { cairo_surface_destroy(image) }
        guard let start = cairo_image_surface_get_data(image) else { return }
        let rowLength = Int(cairo_image_surface_get_stride(image))
        for row in 0..<side {
            let target = UnsafeMutableRawPointer(start.advanced(by: row * rowLength))
            for column in 0..<side {
                target.storeBytes(of: pixels[row * side + column], toByteOffset: 4 * column, as: UInt32.self)
            }
        }
        cairo_surface_mark_dirty(image)
        body(image)
    }
}
