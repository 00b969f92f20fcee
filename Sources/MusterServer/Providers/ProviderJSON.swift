import Foundation
import MusterCore
import MusterWire
import OutboundHTTP

/// Reads what servers elsewhere answer: much of it may be missing, wrong or hostile.
enum ProviderJSON {
    /// Characters of a text that is shown.
    private static let longest = 500

    /// Reads an answer with status 200.
    ///
    /// - Throws: when it has another, or is not that.
    static func read<Value: Decodable>(
        _ type: Value.Type,
        _ response: OutboundResponse,
        statuses: Set<Int> = [200]
    ) throws(UnreadableAnswer) -> Value {
        let body = response.body.replacingLoneSurrogates() ?? response.body
        guard statuses.contains(response.status),
            let value = try? JSONDecoder().decode(type, from: Data(body))
        else { throw UnreadableAnswer() }
        return value
    }

    /// A point of the earth; nil for numbers that are none.
    static func coordinate(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(validating: latitude, longitude)
    }

    /// A text in one line, without what cannot be seen; nil when nothing is left.
    static func text(_ text: String?) -> String? {
        guard let text else { return nil }
        let scalars = text.unicodeScalars.lazy
            .map { $0.properties.isWhitespace ? " " : $0 }
            .filter { $0 == " " || $0.isVisible || $0.properties.isVariationSelector }
            .prefix(Self.longest)
        guard scalars.contains(where: \.isVisible) else { return nil }
        return String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
    }

    /// An address that a browser may be given; nil for anything else.
    static func link(_ text: String?) -> String? { text.flatMap { try? WebLink($0).text } }
}
