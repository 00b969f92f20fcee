/// One SQL statement and its parameters, the first of which is `$1`.
package struct PostgresStatement: Sendable, ExpressibleByStringLiteral {
    /// The SQL text, which is also the key of the prepared statement in a connection.
    package let sql: String
    /// The values of `$1`, `$2`, ….
    package let parameters: [PostgresValue]

    /// Creates a statement.
    package init(_ sql: String, _ parameters: [PostgresValue] = []) {
        self.sql = sql
        self.parameters = parameters
    }

    package init(stringLiteral sql: String) { self.init(sql) }
}
