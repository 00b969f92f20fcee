/// One SQL statement and its parameters, `$1` being the first.
package struct PostgresStatement: Sendable, ExpressibleByStringLiteral {
    /// The text, which is also the key under which a connection keeps the prepared statement.
    package let sql: String
    /// What is bound to `$1`, `$2`, ….
    package let parameters: [PostgresValue]

    /// Creates a statement.
    package init(_ sql: String, _ parameters: [PostgresValue] = []) {
        self.sql = sql
        self.parameters = parameters
    }

    package init(stringLiteral sql: String) { self.init(sql) }
}
