import Glibc

// Linux shares a processor out between sessions first, and only then between the threads of each (sched(7), "The autogroup
// feature"; on in Debian). To go before others is worth nothing beyond the own session then, and each of PostgreSQL's
// processes is a session of its own, entitled to as much of a processor as all of Muster: a COPY of the journal's keeps a
// gateway waiting for a whole slice at a time.

/// How the session of this process stands beside others that want the same processor: -20 goes first, 19 last.
package enum SessionNiceness {
    /// That of a server whose clients wait for it, beside the machine's batches.
    private static let preferred = -10
    private static let path = "/proc/self/autogroup"

    /// The session's; nil where the system does not tell sessions apart.
    package static var current: Int? {
        guard let file = self.open(self.path, flags: O_RDONLY) else { return nil }
        defer { close(file) }
        let text = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        // Such as "/autogroup-132 nice -10".
        return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
    }

    /// Lets this process go before those of other sessions, when it leads one: what else is in that, it has started itself.
    ///
    /// A service leads its session; what is started by hand in a terminal shares the terminal's, which is left as it is.
    /// Without effect where the process may be nice to nobody.
    package static func preferOwn() async {
        guard getsid(0) == getpid() else { return }
        await self.set(self.preferred)
    }

    /// Lets everything in this process's session go before other sessions while `body` runs.
    ///
    /// - Parameters:
    ///   - log: is told when the session could not be put back to where it was.
    ///   - body: what is in a hurry; it runs as it is where the process may be nice to nobody.
    /// - Returns: what `body` returned.
    /// - Throws: what `body` threw.
    package static func preferring<Value: Sendable>(
        log: (LogEvent) -> Void,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        guard let earlier = self.current, await self.set(self.preferred) == .changed else { return try await body() }
        let value: Value
        do {
            value = try await body()
        } catch {
            await self.restore(earlier, log: log)
            throw error
        }
        await self.restore(earlier, log: log)
        return value
    }

    private static func restore(_ niceness: Int, log: (LogEvent) -> Void) async {
        // In a task of its own: one that was cancelled would not pause between its tries.
        guard await Task(operation: { await self.set(niceness) }).value == .refused else { return }
        let fields = [("session.niceness", "\(self.preferred)"), ("session.niceness_before", "\(niceness)")]
        log(LogEvent(.warning, "the session goes on before others", fields))
    }

    /// What became of a wish.
    enum Outcome {
        case changed
        case refused
    }

    // For a tenth of a second after anybody has set the niceness of any session, the kernel sends away all who lack
    // CAP_SYS_ADMIN: EAGAIN (`proc_sched_autogroup_set_nice`). That passes.
    private static let tries = 5
    private static let pause = Duration.milliseconds(110)

    /// Says how the session is to stand, again if it is too early to.
    @discardableResult
    static func set(_ niceness: Int) async -> Outcome {
        for _ in 1..<self.tries {
            switch self.write(niceness) {
            case .some(let outcome): return outcome
            case nil: try? await Task.sleep(for: self.pause)
            }
        }
        return self.write(niceness) ?? .refused
    }

    /// Says it once; nil when it is too early to.
    private static func write(_ niceness: Int) -> Outcome? {
        guard let file = self.open(self.path, flags: O_WRONLY) else { return .refused }
        defer { close(file) }
        let text = [UInt8](String(niceness).utf8)
        if Glibc.write(file, text, text.count) == text.count { return .changed }
        return errno == EAGAIN ? nil : .refused
    }

    private static func open(_ path: String, flags: Int32) -> Int32? {
        let file = Glibc.open(path, flags | O_CLOEXEC)
        return file < 0 ? nil : file
    }
}
