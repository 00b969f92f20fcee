/// The prepared statements of one connection, by their text and the types of their parameters.
///
/// A NULL has no type of its own and fits any. While a statement is being prepared, only the exchange that prepares it
/// uses it. If the preparation fails, no other exchange depends on the name.
struct PreparedStatements {
    /// The way in which a statement is sent.
    enum Plan {
        /// The server knows it under a name.
        case execute(name: String)
        /// It is prepared under a name first.
        case prepare(name: String)
        /// It is sent as text, because it is still being prepared by another exchange or too many statements are
        /// prepared.
        case unnamed
    }

    private struct Entry {
        let name: String
        let types: [PostgresType]
        /// The exchange that prepares it; `nil` after the server has confirmed it.
        var preparedBy: UInt64?

        func fits(_ parameters: [PostgresValue]) -> Bool {
            self.types.count == parameters.count
                && zip(self.types, parameters).allSatisfy { type, value in value == .null || value.type == type }
        }
    }

    private static let greatestCount = 512

    private var entries: [String: [Entry]] = [:]
    private var count = 0
    private var lastName = 0

    /// Decides how exchange `exchange` sends a statement.
    mutating func plan(_ statement: PostgresStatement, exchange: UInt64) -> Plan {
        let known = self.entries[statement.sql, default: []]
        if let entry = known.first(where: { $0.fits(statement.parameters) }) {
            let isUsable = entry.preparedBy == nil || entry.preparedBy == exchange
            return isUsable ? .execute(name: entry.name) : .unnamed
        }
        guard self.count < Self.greatestCount else { return .unnamed }
        self.lastName += 1
        self.count += 1
        let name = "m\(self.lastName)"
        let types = statement.parameters.map(\.type)
        self.entries[statement.sql] = known + [Entry(name: name, types: types, preparedBy: exchange)]
        return .prepare(name: name)
    }

    /// Records that the server has prepared `name`.
    mutating func prepared(_ sql: String, name: String) {
        guard let index = self.entries[sql]?.firstIndex(where: { $0.name == name }) else { return }
        self.entries[sql]?[index].preparedBy = nil
    }

    /// Removes `name`, which the server did not prepare, or whose plan is invalid.
    mutating func forget(_ sql: String, name: String) {
        guard let index = self.entries[sql]?.firstIndex(where: { $0.name == name }) else { return }
        self.entries[sql]?.remove(at: index)
        self.count -= 1
    }
}
