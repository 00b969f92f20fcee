import EventLoop
import MusterServer
import Postgres

extension ServerConfiguration.Database {
    /// Runs `body` with a directory.
    ///
    /// - Throws: `UnusedDatabase` with the advice `wanting` when the database has no tables of a server.
    func withDirectory<Value: Sendable>(
        wanting advice: String,
        _ body: @Sendable (Directory) async throws -> Value
    ) async throws -> Value {
        try self.requireCluster(advice)
        let database = try await BlockingWork.run(named: "database") { () throws(PostgresError) in
            try OpenDatabase(self)
        }
        var configuration = PostgresPool.Configuration(connectionString: database.connectionString)
        configuration.size = 1
        let pool = PostgresPool(configuration)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(Directory(pool: pool)))
        } catch let error as PostgresError where UnusedDatabase.isCause(of: error) {
            result = .failure(UnusedDatabase(self, advice))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        await BlockingWork.run(named: "database") { () throws(Never) in database.close() }
        return try result.get()
    }
}
