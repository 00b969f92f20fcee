/// One table with personal data: how its rows are deleted with the account, and which of its data is exported.
///
/// A feature adds its tables to `PersonalData.all`. A test walks the database schema and reports each table that is
/// missing there.
struct PersonalData: Sendable {
    /// How the rows of a user are deleted with the account.
    enum Deletion: Sendable {
        /// With the account's row, by a foreign key.
        case cascade
        /// By a statement before the account's row is deleted, with the user's id as `$1`. It may return the column
        /// `id` of rows that others must be notified of.
        case before(String)
        /// By a statement after the account's row is deleted, with the user's id as `$1`.
        case after(String)
    }

    /// The part of the rows that is exported.
    enum Export: Sendable {
        /// Nothing, for the given reason.
        case nothing(String)
        /// A list with the given name, read by a paged query.
        case list(String, PagedQuery)
    }

    /// The table, without its schema.
    let table: String
    let deletion: Deletion
    let export: Export

    /// Describes a table.
    init(_ table: String, deletion: Deletion = .cascade, export: Export) {
        self.table = table
        self.deletion = deletion
        self.export = export
    }
}

/// A query that is read page by page, so that neither memory nor a connection is used for its whole length.
struct PagedQuery: Sendable {
    /// The statement that reads a page.
    ///
    /// `$1` is the user's id, `$2` (`bigint[]`) the last `cursor` of the previous page, `$3` the number of rows. The
    /// statement returns the columns `cursor` (`bigint[]`) and `item` (`text`, a JSON value), ordered by `cursor`.
    let sql: String
    /// The value of `$2` for the first page: below every cursor.
    let start: [Int64]

    /// Reads `item` of `rows`, ordered by one or more columns that are unique together.
    ///
    /// - Parameters:
    ///   - item: an SQL expression of type `json` or `text`.
    ///   - rows: the text after `FROM`, including the condition that selects the user's rows by `$1`.
    ///   - keys: `bigint` columns, compared in order.
    init(_ item: String, from rows: String, orderedBy keys: String...) {
        let columns = keys.joined(separator: ", ")
        let parameters = keys.indices.map { "$2[\($0 + 1)]" }.joined(separator: ", ")
        self.init(
            sql: """
                SELECT ARRAY[\(columns)]::bigint[] AS cursor, (\(item))::text AS item FROM \(rows)
                    AND (\(columns)) > (\(parameters)) ORDER BY \(columns) LIMIT $3
                """,
            start: keys.map { _ in .min }
        )
    }

    /// Creates a query from a complete statement.
    init(sql: String, start: [Int64]) {
        self.sql = sql
        self.start = start
    }
}
