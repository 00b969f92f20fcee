import Foundation
import MusterCore
import MusterWire
import OutboundHTTP

/// Reads the answers of external servers, which may be incomplete, wrong or hostile.
enum ProviderJSON {
    /// The maximum number of characters of a text to show.
    private static let longest = 500

    /// Decodes an answer with an accepted status.
    ///
    /// - Throws: an error when the answer has another status or another form.
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

    /// A point on the earth; nil for invalid numbers.
    static func coordinate(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(validating: latitude, longitude)
    }

    /// A text in one line, without invisible characters; nil when nothing is left.
    static func text(_ text: String?) -> String? {
        guard let text else { return nil }
        let scalars = text.unicodeScalars.lazy
            .map { $0.properties.isWhitespace ? " " : $0 }
            .filter { $0 == " " || $0.isVisible || $0.properties.isVariationSelector }
            .prefix(Self.longest)
        guard scalars.contains(where: \.isVisible) else { return nil }
        return String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
    }

    /// A web address that is safe for a browser; nil for any other text.
    static func link(_ text: String?) -> String? { text.flatMap { try? WebLink($0).text } }
}
