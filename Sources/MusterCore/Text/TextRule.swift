/// What a text that people type must be: this is the one home of the rule, whichever way the text comes in.
///
/// A text is cleaned first, since people paste: a tab becomes a blank, every way to end a line becomes a line feed where lines may
/// stand, and white space around the text is cut off. Marks of direction stay; who puts a text into a sentence isolates it.
/// Characters are Unicode scalars.
package struct TextRule: Sendable, Equatable {
    /// Why a text is refused.
    package enum Violation: Error, Sendable, Equatable {
        /// It has too few or too many characters.
        case length(ClosedRange<Int>)
        /// It holds a character that controls, or ends a line where there is only one.
        case controlCharacter(mayHaveLines: Bool)
        /// It holds nothing that can be seen.
        case invisible
    }

    /// How many characters it may have.
    package let length: ClosedRange<Int>
    /// Whether line feeds may stand in it.
    package let hasLines: Bool
    /// Whether it is shown to others, and so must be visible.
    package let isPublic: Bool

    /// The name of a person or a group.
    package static let displayName = TextRule.line(1...80)

    /// One line that others see.
    package static func line(_ length: ClosedRange<Int>) -> TextRule {
        TextRule(length: length, hasLines: false, isPublic: true)
    }

    /// Lines that others see.
    package static func lines(_ length: ClosedRange<Int>) -> TextRule {
        TextRule(length: length, hasLines: true, isPublic: true)
    }

    /// One line that only its author sees.
    package static func privateLine(_ length: ClosedRange<Int>) -> TextRule {
        TextRule(length: length, hasLines: false, isPublic: false)
    }

    /// The text without tabs, and without white space around it.
    ///
    /// - Throws: why it is refused.
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

    /// The text with blanks for tabs and, where lines may stand, line feeds for whatever ends a line.
    private func withPlainSpaces(_ text: String) -> String {
        // A cheap look first: nearly every text has none of them.
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
    /// What the text must be, to stand behind the name of its field.
    package var description: String {
        switch self {
        case .length(let range): "must be a string of \(range.lowerBound)...\(range.upperBound) characters"
        case .controlCharacter(true): "must not contain control characters but tabs and line feeds"
        case .controlCharacter(false): "must be one line without control characters"
        case .invisible: "must hold a character that can be seen"
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character or one that separates lines.
    fileprivate var controls: Bool {
        switch self.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case _: false
        }
    }

    /// Whether it leaves a mark on a screen.
    ///
    /// Letters and symbols without a mark are either ignorable by Unicode's word, such as the fillers of Hangul, or drawn blank.
    package var isVisible: Bool {
        switch self.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case _: !self.properties.isDefaultIgnorableCodePoint && !self.isDrawnBlank
        }
    }

    /// Whether it is a letter, mark or symbol whose glyph is blank, though no property of Unicode says so.
    private var isDrawnBlank: Bool {
        switch self.value {
        // A pattern without dots, fillers of two scripts, and a notehead that is not drawn.
        case 0x2800, 0x13441, 0x13442, 0x16FE4, 0x1D159: true
        case _: false
        }
    }
}
