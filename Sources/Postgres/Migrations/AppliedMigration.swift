/// A migration that the database contains.
struct AppliedMigration {
    let number: Int
    let name: String
    let checksum: String
    let appliedAt: Int64

    /// Reads all applied migrations in the order of their numbers; none if their table does not exist yet.
    static func read(_ session: PostgresSession) throws(PostgresError) -> [AppliedMigration] {
        let table = try session.execute("SELECT to_regclass('muster.schema_migration') IS NOT NULL AS exists")
        guard try table[0].bool("exists") else { return [] }
        let rows = try session.execute(
            "SELECT number, name, checksum, applied_at FROM muster.schema_migration ORDER BY number"
        )
        var applied: [AppliedMigration] = []
        for row in rows {
            applied.append(
                AppliedMigration(
                    number: Int(try row.int32("number")),
                    name: try row.text("name"),
                    checksum: try row.text("checksum"),
                    appliedAt: try row.unixMilliseconds("applied_at")
                )
            )
        }
        return applied
    }
}
