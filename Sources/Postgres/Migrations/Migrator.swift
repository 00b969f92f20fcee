/// Brings a database's schema up to date from numbered files, forward only.
///
/// Files are named `0001-name.sql`, without gaps. Each runs in a transaction of its own, under an advisory lock that
/// makes concurrent servers wait for one another, and is recorded with its checksum in `muster.schema_migration`.
package struct Migrator: Sendable {
    /// A migration and whether the database has it.
    package struct Status: Sendable, Hashable {
        /// The number at the start of the file's name.
        package let number: Int
        /// The name behind the number, without `.sql`.
        package let name: String
        /// When it was applied, in milliseconds since the Unix epoch; `nil` when it is pending.
        package let appliedAtUnixMilliseconds: Int64?
    }

    private let directory: String

    /// Creates a migrator for the files in `directory`.
    package init(directory: String) { self.directory = directory }

    /// Applies what is pending, after checking that what was applied has not changed.
    ///
    /// Blocks; call it off Swift's cooperative threads.
    ///
    /// - Returns: the migrations that were applied now.
    @discardableResult
    package func migrate(_ session: PostgresSession) throws(PostgresError) -> [Status] {
        preconditionFailure("skeleton")
    }

    /// Lists every migration and when it was applied; changes nothing.
    package func status(_ session: PostgresSession) throws(PostgresError) -> [Status] {
        preconditionFailure("skeleton")
    }
}
