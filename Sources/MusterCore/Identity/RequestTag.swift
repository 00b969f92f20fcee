/// The mark that a client put on a request and finds on its answer.
package enum RequestTag: Hashable, Sendable, Codable {
    case number(Int64)
    case text(String)
}
