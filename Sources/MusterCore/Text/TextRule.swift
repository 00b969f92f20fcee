/// The rule for a user text; all ways of input share it.
///
/// A text is cleaned first, because it may be pasted: a tab becomes a blank, and white space around the text is
/// removed. Where several lines are permitted, every kind of line ending becomes a line feed. Directional marks stay;
/// code that inserts the text into a sentence isolates it. Characters are Unicode scalars.
package struct TextRule: Sendable, Equatable {
    /// The reason for rejecting a text.
    package enum Violation: Error, Sendable, Equatable {
        /// The text has too few or too many characters.
        case length(ClosedRange<Int>)
        /// The text contains a control character, or a line ending where only one line is permitted.
        case controlCharacter(mayHaveLines: Bool)
        /// The text contains no visible character.
        case invisible
    }

    /// The permitted number of characters.
    package let length: ClosedRange<Int>
    /// Whether line feeds are permitted.
    let hasLines: Bool
    /// Whether others see the text, so that it must be visible.
    let isPublic: Bool

    /// The rule for the name of a user or a group.
    package static let displayName = TextRule.line(1...80)

    /// A rule for one public line.
    package static func line(_ length: ClosedRange<Int>) -> TextRule {
        TextRule(length: length, hasLines: false, isPublic: true)
    }

    /// A rule for public lines.
    package static func lines(_ length: ClosedRange<Int>) -> TextRule {
        TextRule(length: length, hasLines: true, isPublic: true)
    }

    /// A rule for one line that only its author sees.
    package static func privateLine(_ length: ClosedRange<Int>) -> TextRule {
        TextRule(length: length, hasLines: false, isPublic: false)
    }

    /// Returns the text without tabs and without surrounding white space.
    ///
    /// - Throws: the reason for rejecting it.
    package func cleaned(_ text: String) throws(Violation) -> String {
        var scalars = Substring(self.withPlainSpaces(text)).unicodeScalars
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        guard self.length.contains(scalars.count) else { throw .length(self.length) }
        let isClean = scalars.allSatisfy { !$0.controls || self.hasLines && $0 == "\n" }
        guard isClean else { throw .controlCharacter(mayHaveLines: self.hasLines) }
        guard !self.isPublic || scalars.isEmpty || scalars.contains(where: \.isVisible) else { throw .invisible }
        return String(scalars)
    }

    /// The text with blanks for tabs and, where several lines are permitted, line feeds for all line endings.
    private func withPlainSpaces(_ text: String) -> String {
        // Fast path: nearly every text has none of them.
        guard text.unicodeScalars.contains(where: { $0 != "\n" && $0.properties.isWhitespace && $0.controls }) else {
            return text
        }
        var plain = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            if scalar == "\t" {
                plain.append(" ")
            } else if self.hasLines, scalar.properties.isWhitespace, scalar.controls {
                if !(isAfterReturn && scalar == "\n") { plain.append("\n") }
            } else {
                plain.append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return String(plain)
    }
}

extension TextRule.Violation: CustomStringConvertible {
    /// The requirement, as text that follows the name of the field.
    package var description: String {
        switch self {
        case .length(let range): "must be a string of \(range.lowerBound)...\(range.upperBound) characters"
        case .controlCharacter(true): "must not contain control characters except tabs and line feeds"
        case .controlCharacter(false): "must be one line without control characters"
        case .invisible: "must contain a visible character"
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character or a line separator.
    fileprivate var controls: Bool {
        switch self.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case _: false
        }
    }

    /// Whether it is visible on a screen.
    ///
    /// Invisible letters and symbols are either ignorable by their Unicode property, such as the Hangul fillers, or
    /// have a blank glyph.
    package var isVisible: Bool {
        switch self.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case _: !self.properties.isDefaultIgnorableCodePoint && !self.isDrawnBlank
        }
    }

    /// Whether its glyph is blank although no Unicode property says so.
    private var isDrawnBlank: Bool {
        switch self.value {
        // A Braille pattern without dots, fillers of two scripts, and a null notehead.
        case 0x2800, 0x13441, 0x13442, 0x16FE4, 0x1D159: true
        case _: false
        }
    }
}
