/// The tag that a client sets on a request and that its answer repeats.
package enum RequestTag: Hashable, Sendable {
    case number(Int64)
    case text(String)
}
