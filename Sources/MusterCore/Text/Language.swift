/// A language in which the server addresses people.
package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case german = "de"

    /// The language of a tag of BCP 47, such as `de-AT`; English when there is no table for it.
    package init(tag: String) {
        let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        self = Language(rawValue: primary) ?? .english
    }
}
