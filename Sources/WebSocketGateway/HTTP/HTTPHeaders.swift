/// The headers of a request by name, case-insensitive.
///
/// A repeated header is one header whose values are joined by commas (RFC 9110, 5.2).
package struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    private var values: [String: String]

    /// Creates headers.
    package init(_ headers: some Sequence<(name: String, value: String)>) {
        self.values = [:]
        for header in headers { self[header.name] = header.value }
    }

    /// Creates an empty set of headers.
    package init() { self.values = [:] }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }

    /// The value of a header; nil when it is absent.
    package subscript(_ name: String) -> String? {
        get { self.values[name.lowercased()] }
        set { self.values[name.lowercased()] = newValue }
    }
}
