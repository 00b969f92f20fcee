/// An error in the format of RFC 9457, with the code of public/docs/protocol.md#errors.
struct ProblemBody: Encodable {
    let type = "about:blank"
    let title: String
    let status: Int
    let detail: String
    let code: String
    let field: String?
    let retryAfter: Int64?
    let reauth: Bool?

    private enum CodingKeys: CodingKey {
        case type
        case title
        case status
        case detail
        case code
        case field
        case retryAfter
        case reauth
    }
}
