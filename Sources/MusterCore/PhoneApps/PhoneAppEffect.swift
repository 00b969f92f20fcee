/// The effects of phones' own apps.
package enum PhoneAppEffect: Sendable {
    /// What a phone shows of others, for a request; nil when the user is unknown.
    case viewed(Int64, PhoneView?)
}
