/// One table that holds something of a person: how that goes with the account, and what of it they can take along.
///
/// A feature adds its tables to `PersonalData.all`; a test walks the database and finds each that is missing there.
package struct PersonalData: Sendable {
    /// How the rows of a person go when their account is deleted.
    package enum Deletion: Sendable {
        /// With the account's row, by a foreign key.
        case cascade
        /// By a statement before the account's row goes, with the person's id as `$1`; it may return the column `id`, for
        /// whoever must hear which rows they were.
        case before(String)
        /// By a statement after the account's row went, with the person's id as `$1`.
        case after(String)
    }

    /// What of the rows is exported.
    package enum Export: Sendable {
        /// Nothing, for this reason.
        case nothing(String)
        /// A list under this name, by a query of pages.
        case list(String, PagedQuery)
    }

    /// The table, without its schema.
    package let table: String
    package let deletion: Deletion
    package let export: Export

    /// Names a table.
    package init(_ table: String, deletion: Deletion = .cascade, export: Export) {
        self.table = table
        self.deletion = deletion
        self.export = export
    }
}

/// A query that is read page by page, so that neither memory nor a connection is held for the length of it.
package struct PagedQuery: Sendable {
    /// The statement that reads a page.
    ///
    /// `$1` is the person's id, `$2` (`bigint[]`) the last page's last `cursor`, `$3` how many rows. It returns the columns
    /// `cursor` (`bigint[]`) and `item` (`text`, a JSON value), in the order of `cursor`.
    let sql: String
    /// What `$2` is for the first page: below every cursor.
    let start: [Int64]

    /// Reads `item` of rows `from`, in the order of one column or several that no two rows share.
    ///
    /// - Parameters:
    ///   - item: an SQL expression of type `json` or `text`.
    ///   - rows: what follows `FROM`, up to the condition that picks the person's rows by `$1`.
    ///   - keys: `bigint` columns; with several the last are compared when the first are the same.
    package init(_ item: String, from rows: String, orderedBy keys: String...) {
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

    /// Reads what `sql` says.
    package init(sql: String, start: [Int64]) {
        self.sql = sql
        self.start = start
    }
}
