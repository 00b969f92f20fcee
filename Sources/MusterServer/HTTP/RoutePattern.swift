// `/v1/groups/{group}/gatherings`: parts between slashes, each a text or with one parameter in it, as in `{y}.mvt`. A parameter
// stands for one character or more, and never for a slash.

/// The path of a route, with its parameters; the name by which logs, metrics and the published contract know it.
struct RoutePattern: Sendable, Hashable {
    private enum Part: Hashable {
        case text(String)
        case parameter(prefix: String, name: String, suffix: String)
    }

    /// The pattern as it is written.
    let text: String
    private let parts: [Part]

    /// Reads a pattern.
    init(_ text: String) {
        precondition(text.hasPrefix("/"), "a path begins with a slash")
        self.text = text
        self.parts = Self.split(text).map(Self.part)
    }

    /// The names of the parameters, in order.
    var parameters: [String] {
        self.parts.compactMap { part in
            switch part {
            case .text: nil
            case .parameter(_, let name, _): name
            }
        }
    }

    /// What stands before the first parameter, up to a slash, or all of it: where the gateway leaves paths to the application.
    var stem: String {
        guard let parameter = self.text.firstIndex(of: "{") else { return self.text }
        let slash = self.text[..<parameter].lastIndex(of: "/") ?? self.text.startIndex
        return String(self.text[...slash])
    }

    /// The values of the parameters when `path` fits; else nil.
    func match(_ path: [Substring]) -> [String: String]? {
        guard path.count == self.parts.count else { return nil }
        var values: [String: String] = [:]
        for (part, piece) in zip(self.parts, path) {
            switch part {
            case .text(let text):
                guard piece == text else { return nil }
            case .parameter(let prefix, let name, let suffix):
                guard piece.utf8.count > prefix.utf8.count + suffix.utf8.count, piece.hasPrefix(prefix),
                    piece.hasSuffix(suffix)
                else { return nil }
                values[name] = String(piece.dropFirst(prefix.count).dropLast(suffix.count))
            }
        }
        return values
    }

    /// Whether it is tried before another: where both fit, a text is meant rather than a parameter, and a part of a text rather
    /// than none.
    func isMoreSpecific(than other: RoutePattern) -> Bool {
        guard self.parts.count == other.parts.count else { return self.parts.count > other.parts.count }
        for (own, others) in zip(self.parts, other.parts) {
            let (mine, theirs) = (Self.literalLength(own), Self.literalLength(others))
            if mine != theirs { return mine > theirs }
        }
        return false
    }

    /// The parts of a path.
    static func split(_ path: String) -> [Substring] {
        Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    }

    private static func literalLength(_ part: Part) -> Int {
        switch part {
        case .text: .max
        case .parameter(let prefix, _, let suffix): prefix.utf8.count + suffix.utf8.count
        }
    }

    private static func part(_ text: Substring) -> Part {
        guard let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}"), start < end else {
            return .text(String(text))
        }
        return .parameter(
            prefix: String(text[..<start]),
            name: String(text[text.index(after: start)..<end]),
            suffix: String(text[text.index(after: end)...])
        )
    }
}
