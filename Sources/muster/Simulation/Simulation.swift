import EventLoop
import Foundation
import MusterClient
import MusterCore
import MusterWire
import Scenario
import Synchronization

/// Simulates groups of people that use the real protocol, on one thread.
struct Simulation: Sendable {
    /// The parameters of a simulation.
    struct Plan: Sendable {
        var host: String
        var port: UInt16
        var groups: Int
        var people: Int
        var speedup: Double
        var centre: Coordinate
        /// Homes and cafés; nil for random ones around the centre.
        var spots: SimulationSpots?
        var seed: UInt64
        /// The file for the first group's invite link.
        var inviteFile: String?
        /// The duration in seconds; nil for no limit.
        var duration: Double?
        /// Whether the accounts are kept after the simulation.
        var keepsAccounts: Bool
    }

    private static let names = [
        "Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Katherine", "Dennis", "Radia", "Ken", "Hedy", "Linus",
        "Margaret", "Tim", "Frances", "Niklaus", "Joan", "John", "Adele", "Tony",
    ]
    private static let groupNames = [
        "Sunday climbers", "Choir", "Flat 12", "Book club", "Five-a-side", "Bikes and cake", "Night shift", "Cousins",
    ]

    let plan: Plan
    let narrate: @Sendable (String) -> Void
    private let clock = MonotonicClock.system

    /// Creates the accounts, runs until `shouldStop` or the end of the plan, and deletes the accounts.
    ///
    /// Blocks the calling thread.
    func run(shouldStop: @Sendable () -> Bool) throws(ClientError) {
        var groups: [SimulatedGroup] = []
        let started = self.clock.milliseconds
        for index in 0..<self.plan.groups {
            if shouldStop() { break }
            groups.append(try self.makeGroup(index))
            self.narrate("\(groups.count) of \(self.plan.groups) groups signed up")
        }
        let end = self.plan.duration.map { started + Int64($0 * 1000) } ?? .max
        self.play(&groups, until: end, shouldStop: shouldStop)
        guard !self.plan.keepsAccounts else { return }
        for person in groups.flatMap(\.people) {
            let http = try BlockingHTTP(host: self.plan.host, port: self.plan.port)
            _ = try http.request("DELETE", "/v1/me", headers: [("Authorization", "Bearer \(person.token)")])
        }
        self.narrate("the simulation has ended")
    }

    private func play(_ groups: inout [SimulatedGroup], until end: Int64, shouldStop: () -> Bool) {
        let loop = ClientLoop(host: self.plan.host, port: self.plan.port)
        var nextStep = self.clock.milliseconds
        var inviteIsWritten = false
        while !shouldStop() {
            let now = self.clock.milliseconds
            guard now < end else { return }
            if now >= nextStep {
                for index in groups.indices {
                    groups[index].connect(loop, now: now)
                    groups[index].advance(seconds: self.plan.speedup, loop, now: now)
                }
                nextStep += 1000
            }
            if !inviteIsWritten, let url = groups.first?.inviteURL {
                inviteIsWritten = true
                self.narrate("join \(url)")
                self.write(url)
            }
            loop.iterate(timeoutMilliseconds: Int32(min(max(0, nextStep - now), 200))) { connection, event in
                for index in groups.indices
                where groups[index].receive(event, on: connection, loop, now: now, narrate: self.narrate) {
                    return
                }
            }
        }
    }

    private func write(_ url: String) {
        guard let file = self.plan.inviteFile else { return }
        do {
            try Data(url.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            self.narrate("the invite could not be written to \(file): \(error)")
        }
    }

    private func makeGroup(_ index: Int) throws(ClientError) -> SimulatedGroup {
        let http = try BlockingHTTP(host: self.plan.host, port: self.plan.port)
        var people: [SimulatedPerson] = []
        for place in 0..<self.plan.people {
            let name = Self.names[(index * self.plan.people + place) % Self.names.count]
            people.append(try self.signUp(name, http))
        }
        // The first group is at the plan's centre and the others are near it, so that one map shows all.
        let centre = self.plan.centre.moved(
            east: Double([0, 1, -1][index % 3]) * 2500,
            north: Double(index / 3) * 2500
        )
        let speedup = self.plan.speedup
        return SimulatedGroup(
            name: Self.groupNames[index % Self.groupNames.count],
            people: people,
            centre: centre,
            spots: self.plan.spots,
            settings: GroupSettingsPatch(
                dwell: max(5, Int(180 / speedup)),
                maxAbsent: 2,
                cooldown: Int(1800 / speedup)
            ),
            seed: self.plan.seed &+ UInt64(index)
        )
    }

    private func signUp(_ name: String, _ http: BlockingHTTP) throws(ClientError) -> SimulatedPerson {
        let username = "sim-\(Self.secret(10))"
        let body = #"{"username":"\#(username)","password":"\#(Self.secret(24))","name":"\#(name)"}"#
        let answer = try http.request(
            "POST",
            "/v1/accounts",
            headers: [("Content-Type", "application/json")],
            body: Array(body.utf8),
            timeout: 30_000
        )
        guard answer.status == 201, let document = try? JSONDocument(answer.body),
            let token = document["token"].string
        else {
            throw ClientError(.refused, message: "sign-up was answered with \(answer.status)")
        }
        return SimulatedPerson(name: name, token: token, deviceKey: "sim-\(Self.secret(6))")
    }

    private static func secret(_ length: Int) -> String {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<length).map { _ in alphabet.randomElement() ?? "a" })
    }
}
