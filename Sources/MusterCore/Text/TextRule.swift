/// What a text that people type must be: this is the one home of the rule, whichever way the text comes in.
///
/// White space around a text is cut off first, and characters are Unicode scalars.
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
    /// Whether it is shown to others, and so neither turns the text around it nor is invisible.
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

    /// The text without white space around it.
    ///
    /// - Throws: why it is refused.
    package func cleaned(_ text: String) throws(Violation) -> String {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        guard self.length.contains(scalars.count) else { throw .length(self.length) }
        let isClean = scalars.allSatisfy { scalar in
            (!scalar.breaksLine || self.hasLines && scalar == "\n") && !(self.isPublic && scalar.turnsText)
        }
        guard isClean else { throw .controlCharacter(mayHaveLines: self.hasLines) }
        guard !self.isPublic || scalars.isEmpty || scalars.contains(where: \.isVisible) else { throw .invisible }
        return String(scalars)
    }
}

extension TextRule.Violation: CustomStringConvertible {
    /// What the text must be, to stand behind the name of its field.
    package var description: String {
        switch self {
        case .length(let range): "must be a string of \(range.lowerBound)...\(range.upperBound) characters"
        case .controlCharacter(true): "must not contain control characters but line feeds"
        case .controlCharacter(false): "must not contain control characters"
        case .invisible: "must hold a character that can be seen"
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character or one that separates lines.
    fileprivate var breaksLine: Bool {
        switch self.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case _: false
        }
    }

    /// Whether it changes the direction of the text around it (Unicode Standard Annex 9).
    fileprivate var turnsText: Bool {
        switch self.value {
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        case _: false
        }
    }

    /// Whether it leaves a mark on a screen.
    package var isVisible: Bool {
        switch self.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case _: true
        }
    }
}
