/// Whether a client holds what it asks for already (RFC 9110, 13.1.2).
package enum EntityTag {
    /// Whether a value of `If-None-Match` names a tag, which is written with its quotes; weak tags are as good.
    package static func isNamed(_ tag: String, in header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { candidate in
            let trimmed = candidate.drop { $0 == " " }.prefix { $0 != " " }
            return trimmed == "*" || trimmed == tag || trimmed == "W/" + tag
        }
    }
}
