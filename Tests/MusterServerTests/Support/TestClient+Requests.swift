import EventLoop
import Foundation

@testable import MusterWire

extension TestClient {
    /// Sends `hello` and waits for `welcome`.
    @discardableResult
    func hello(device: String = "phone", kind: String = "phone", resume: JSON? = nil) throws -> Frame {
        try self.sendHello(device: device, kind: kind, resume: resume)
        let welcome = try self.expect("welcome")
        self.lastSequence = welcome["device"]["ackedSeq"].int ?? 0
        return welcome
    }

    /// Sends `hello` without waiting.
    func sendHello(device: String = "phone", kind: String = "phone", resume: JSON? = nil) throws {
        var fields: JSON = [
            "token": .string(self.account.token),
            "device": ["key": .string(device), "name": "A test", "kind": .string(kind)],
        ]
        if let resume { fields = fields.with(["resume": resume]) }
        try self.send("hello", fields)
    }

    /// The `resume` for a client with this one's state.
    var resume: JSON {
        let groups = self.rosters.map { group, roster in
            (
                key: group,
                value: ["epoch": .string(roster.epoch), "version": .integer(roster.version)] as JSON
            )
        }
        return ["groups": .object(groups)]
    }

    /// Creates a group and waits for its roster.
    func createGroup(_ name: String = "Sunday climbers", _ settings: JSON = ["dwell": 0]) throws -> String {
        let answer = try self.request("group.create", ["name": .string(name), "settings": settings])
        guard let group = answer["group"]["id"].string else { throw TestFailure("no group in \(answer)") }
        try self.waitUntil("the new group's roster") { self.rosters[group] != nil }
        return group
    }

    /// Creates an invite and returns its code.
    func invite(to group: String, _ more: JSON = [:]) throws -> String {
        let answer = try self.request("group.invite", more.with(["group": .string(group)]))
        guard let code = answer["code"].string else { throw TestFailure("no code in \(answer)") }
        return code
    }

    /// Joins by a code and waits for the roster.
    func join(_ code: String) throws {
        let group = try self.request("group.join", ["code": .string(code)])["group"]["id"].string ?? ""
        try self.waitUntil("the joined group's roster") { self.rosters[group] != nil }
    }

    /// Sends a fix with the next sequence number.
    ///
    /// - Returns: the sequence number.
    @discardableResult
    func sendFix(_ latitude: Double, _ longitude: Double, _ more: JSON = ["accuracy": 5]) throws -> Int64 {
        self.lastSequence += 1
        try self.send("location", .fix(self.lastSequence, latitude, longitude, more))
        return self.lastSequence
    }

    /// Waits until all sent fixes are acknowledged.
    func waitForAck(of sequence: Int64? = nil, within milliseconds: Int64 = 60_000) throws {
        let wanted = sequence ?? self.lastSequence
        try self.waitUntil("ack of \(wanted)", within: milliseconds) { self.acknowledged >= wanted }
    }

    /// Waits for the removal from a group.
    @discardableResult
    func expectDeparture(from group: String) throws -> Frame {
        let user = self.account.id
        return try self.expect("update") { $0["group"].string == group && $0["gone"].strings == [user] }
    }

    /// The roster of a group.
    func roster(_ group: String) -> Roster { self.rosters[group] ?? Roster() }
}

extension JSON {
    /// The fields of a fix.
    static func fix(_ sequence: Int64, _ latitude: Double, _ longitude: Double, _ more: JSON = ["accuracy": 5]) -> JSON
    {
        (["seq": .integer(sequence), "lat": .number(latitude), "lon": .number(longitude)] as JSON)
            .with(more)
    }

    /// The time `milliseconds` from now.
    static func now(plus milliseconds: Int64 = 0) -> JSON {
        .integer(MonotonicClock.system.wallMilliseconds + milliseconds)
    }
}
