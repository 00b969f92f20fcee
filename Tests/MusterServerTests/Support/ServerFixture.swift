import Foundation
import MusterTestSupport
import Postgres
import Testing

@testable import MusterWire

/// A server on a fresh database with its users.
///
/// At the end all frames are checked against the contract.
final class ServerFixture {
    /// The connection string of the database.
    let database: String
    /// The server process; a new one after a restart.
    private(set) var server: MusterProcess
    /// All frames and HTTP answers.
    let transcript = Transcript()

    private let options: [String]
    private let session: PostgresSession

    private init(database: String, options: [String], environment: [String: String]) throws {
        self.database = database
        self.options = options
        self.session = PostgresSession(connectionString: database)
        self.server = try MusterProcess.serve(database: database, options: options, environment: environment)
    }

    /// Runs `body` with a server on a fresh database of `cluster`.
    ///
    /// The server must exit with success afterwards.
    ///
    /// All tests share one cluster unless they pass their own.
    static func open(
        _ options: [String] = [],
        on cluster: ThrowawayCluster? = nil,
        environment: [String: String] = [:],
        _ body: (ServerFixture) async throws -> Void
    ) async throws {
        let cluster = if let cluster { cluster } else { try await ThrowawayCluster.shared() }
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await cluster.makeDatabase(migratedFrom: migrations)
        try await Self.open(options, database: database, environment: environment, body)
        // The database of a test that failed is kept until the end of the process.
        try? await cluster.remove(database)
    }

    /// Runs `body` with a server on a database that may be unreachable at first.
    ///
    /// The server must exit with success afterwards.
    static func open(
        _ options: [String] = [],
        database: String,
        environment: [String: String] = [:],
        _ body: (ServerFixture) async throws -> Void
    ) async throws {
        let fixture = try ServerFixture(database: database, options: options, environment: environment)
        do {
            try await body(fixture)
        } catch {
            Issue.record("the server's log ends with\n\(fixture.server.logLines.suffix(30).joined(separator: "\n"))")
            throw error
        }
        if fixture.server.isRunning {
            #expect(fixture.server.terminate() == 0, "the server did not end well:\n\(fixture.server.log)")
        }
        if let problems = try fixture.transcript.problems() {
            Issue.record("frames break the contract:\n\(problems)")
        }
    }

    // MARK: - The server

    /// Starts the server again on the same port and database, after it was ended.
    func restart() throws {
        let port = self.server.port
        self.server = try MusterProcess.serve(database: self.database, options: self.options, port: port)
        // A server listens before it has reached its database, which may take a while when other tests run.
        #expect(try eventually(within: 60_000) { try self.http("GET", "/readyz").status == 200 })
    }

    /// Kills the server, and starts it again.
    func crash() throws {
        self.server.kill()
        try self.restart()
    }

    // MARK: - People

    /// Signs up a user.
    func signUp(_ name: String) throws -> Account {
        try Self.signUp(name, port: self.server.port, transcript: self.transcript)
    }

    /// Signs up a user on a server without a `ServerFixture`.
    static func signUp(_ name: String, port: UInt16, transcript: Transcript) throws -> Account {
        let username = "\(name.lowercased())-\(UUID().uuidString.prefix(6).lowercased())"
        let password = "correct horse \(UUID().uuidString.prefix(6))"
        let body: JSON = ["username": .string(username), "password": .string(password), "name": .string(name)]
        var reply: HTTPReply?
        // A server listens before it has reached its database, which may take a while when other tests run.
        _ = try eventually(within: 30_000) {
            reply = try .request("POST", "/v1/accounts", body: body.text, port: port, transcript: transcript)
            return reply?.status != 503
        }
        guard reply?.status == 201, let json = reply?.json, let id = json["user"]["id"].string,
            let token = json["token"].string
        else { throw TestFailure("sign-up was answered \(reply?.status ?? 0) \(reply?.text ?? "")") }
        return Account(id: id, username: username, password: password, name: name, token: token)
    }

    /// Connects a device without sending `hello`.
    func connect(
        _ account: Account,
        subprotocol: String = "muster.v1",
        headers: [(name: String, value: String)] = []
    ) throws -> TestClient {
        try TestClient(
            account,
            port: self.server.port,
            transcript: self.transcript,
            subprotocol: subprotocol,
            headers: headers
        )
    }

    /// Connects a device and sends `hello`.
    func enter(
        _ account: Account,
        device: String = "phone",
        kind: String = "phone",
        resume: JSON? = nil
    ) throws -> TestClient {
        let client = try self.connect(account)
        try client.hello(device: device, kind: kind, resume: resume)
        return client
    }

    /// Signs up users, connects a phone for each, and adds all of them to one group that the first user owns.
    func friends(_ names: String..., settings: JSON = ["dwell": 0]) throws -> (people: [TestClient], group: String) {
        let people = try names.map { try self.enter(try self.signUp($0)) }
        let group = try people[0].createGroup("Sunday climbers", settings)
        let code = try people[0].invite(to: group)
        for person in people.dropFirst() { try person.join(code) }
        for person in people {
            try person.waitUntil("everybody in the roster") { person.roster(group).members.count == people.count }
        }
        return (people, group)
    }

    // MARK: - HTTP and SQL

    /// Sends an HTTP request and waits for the answer.
    ///
    /// Answers of another port than the server's are not part of the contract.
    func http(
        _ method: String,
        _ path: String,
        token: String? = nil,
        body: JSON? = nil,
        rawBody: String? = nil,
        port: UInt16? = nil
    ) throws -> HTTPReply {
        try HTTPReply.request(
            method,
            path,
            token: token,
            body: rawBody ?? body?.text,
            port: port ?? self.server.port,
            transcript: port == nil ? self.transcript : nil
        )
    }

    /// The port of the `--metrics-listen` listener.
    func metricsPort() throws -> UInt16 {
        guard let line = self.server.logLines.first(where: { $0.contains("serving metrics") }),
            let address = String(line).firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/), let port = UInt16(address.1)
        else { throw TestFailure("the server has no metrics listener") }
        return port
    }

    /// The reason why the server is not ready; nil if it is.
    func unreadiness() throws -> String? {
        let reply = try self.http("GET", "/readyz")
        return reply.status == 200 ? nil : reply.json?["detail"].string ?? reply.text
    }

    /// Runs a query on the database.
    @discardableResult
    func query(_ sql: String, _ parameters: [PostgresValue] = []) throws -> PostgresResult {
        do {
            if !self.session.isConnected { try self.session.connectWithRetries() }
            return try self.session.execute(sql, parameters)
        } catch  where error.code == .connectionLost {
            // A test has stopped the cluster in between.
            try self.session.connectWithRetries()
            return try self.session.execute(sql, parameters)
        }
    }

    /// Disconnects the change feed until `admitFeed`, so that no change is received.
    func silenceFeed() throws {
        // New connections to the database are refused; existing ones remain.
        try self.query("UPDATE pg_database SET datallowconn = false WHERE datname = current_database()")
        let feed = "pg_stat_activity WHERE application_name = 'muster-changes' AND datname = current_database()"
        try self.query("SELECT pg_terminate_backend(pid) FROM \(feed)")
        while try self.count(of: feed) > 0 {}
    }

    /// Lets the change feed connect again.
    func admitFeed() throws {
        try self.query("UPDATE pg_database SET datallowconn = true WHERE datname = current_database()")
    }

    /// Counts rows: `count(of: "muster.fix WHERE user_id = $1", [id])`.
    func count(of what: String, _ parameters: [PostgresValue] = []) throws -> Int64 {
        guard let row = try self.query("SELECT count(*) AS n FROM \(what)", parameters).onlyRow() else { return 0 }
        return try row.int64("n")
    }
}

extension PostgresValue {
    /// An id from the wire as a parameter.
    static func id(_ text: String) -> PostgresValue { .int64(Int64(text) ?? 0) }
}
