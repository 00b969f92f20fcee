import CImagingShims
import ImagingWire

/// The owner of a laid out line of text.
final class TextLine {
    /// The width in pixels.
    let width: Double
    /// The height in pixels.
    let height: Double
    private let line: OpaquePointer

    /// Lays out a line with a font size in pixels.
    ///
    /// A line wider than `widest` ends in an ellipsis; 0 for any width.
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

    /// The number of characters that no font contains, which are drawn as boxes.
    var unknownLetters: Int { Int(muster_text_unknown(self.line)) }

    /// Draws the line on a cairo context, in the current colour.
    func draw(on canvas: OpaquePointer, at corner: Pixel) { muster_text_draw(self.line, canvas, corner.x, corner.y) }

    /// Adds the outlines of the letters to the path of a cairo context.
    func addPath(to canvas: OpaquePointer, at corner: Pixel) { muster_text_path(self.line, canvas, corner.x, corner.y) }
}
