/// An error as RFC 9457 has it, with the code of PROTOCOL 9.
struct ProblemBody: Encodable {
    let type = "about:blank"
    let title: String
    let status: Int
    let detail: String
    let code: String
    let field: String?
    let retryAfter: Int64?

    private enum CodingKeys: CodingKey {
        case type
        case title
        case status
        case detail
        case code
        case field
        case retryAfter
    }
}
