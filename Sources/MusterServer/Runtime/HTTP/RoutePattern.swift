// `/v1/groups/{group}/gatherings`: segments between slashes. Each is a literal, or contains one parameter, as in
// `{y}.mvt`. A parameter matches one character or more, and never a slash.

/// The path of a route, with its parameters.
///
/// Logs, metrics and the published contract use it as the name of the route.
struct RoutePattern: Sendable, Hashable {
    private enum Part: Hashable {
        case text(String)
        case parameter(prefix: String, name: String, suffix: String)
    }

    /// The pattern as it is written.
    let text: String
    private let parts: [Part]

    /// Parses a pattern.
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

    /// The part before the first parameter, up to a slash, or the whole pattern.
    ///
    /// The gateway passes paths that begin with it to the application.
    var stem: String {
        guard let parameter = self.text.firstIndex(of: "{") else { return self.text }
        let slash = self.text[..<parameter].lastIndex(of: "/") ?? self.text.startIndex
        return String(self.text[...slash])
    }

    /// The values of the parameters if `path` matches; otherwise nil.
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

    /// Whether this pattern is tried before another.
    ///
    /// Where both match, a literal takes precedence over a parameter, and a segment with a literal part over one
    /// without.
    func isMoreSpecific(than other: RoutePattern) -> Bool {
        guard self.parts.count == other.parts.count else { return self.parts.count > other.parts.count }
        for (own, others) in zip(self.parts, other.parts) {
            let (mine, theirs) = (Self.literalLength(own), Self.literalLength(others))
            if mine != theirs { return mine > theirs }
        }
        return false
    }

    /// The segments of a path.
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
