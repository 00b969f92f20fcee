/// A comparison of entity tags: whether the client's copy is still current (RFC 9110, 13.1.2).
package enum EntityTag {
    /// Returns whether an `If-None-Match` value contains a tag, given with its quotes.
    ///
    /// Weak tags match too.
    package static func isNamed(_ tag: String, in header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { candidate in
            let trimmed = candidate.drop { $0 == " " }.prefix { $0 != " " }
            return trimmed == "*" || trimmed == tag || trimmed == "W/" + tag
        }
    }
}
