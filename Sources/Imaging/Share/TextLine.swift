import CImagingShims
import ImagingWire

/// A line of text that is set, and the one who lets go of it.
final class TextLine {
    /// Pixels from left to right.
    let width: Double
    /// Pixels from top to bottom.
    let height: Double
    private let line: OpaquePointer

    /// Sets a line in letters of so many pixels; what is wider than `widest` ends in an ellipsis, 0 for any width.
    init(_ text: String, pixels: Double, isBold: Bool = false, widest: Double = 0) {
        guard let line = muster_text_set(text, text.utf8.count, pixels, isBold, widest) else {
            preconditionFailure("pango sets every line, or ends the process when memory is short")
        }
        self.line = line
        var size = (width: 0.0, height: 0.0)
        muster_text_size(line, &size.width, &size.height)
        (self.width, self.height) = size
    }

    deinit { muster_text_release(self.line) }

    /// How many of its letters no font has: they are boxes.
    var unknownLetters: Int { Int(muster_text_unknown(self.line)) }

    /// Draws it on a canvas of cairo, in the colour that is set.
    func draw(on canvas: OpaquePointer, at corner: Pixel) { muster_text_draw(self.line, canvas, corner.x, corner.y) }
}
