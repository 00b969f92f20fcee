import Glibc

// Linux first divides a processor between sessions, and then the share of each session between its threads (sched(7),
// "The autogroup feature"; on in Debian). So a thread's priority has no effect outside its session. Each PostgreSQL
// process is a session of its own with the same share of a processor as all of Muster. A COPY of the journal can
// therefore delay a gateway for a whole time slice.

/// The nice value of this process's session relative to other sessions: from -20 (runs first) to 19 (runs last).
package enum SessionNiceness {
    /// The value for a server whose clients wait for it, relative to the machine's batch jobs.
    private static let preferred = -10
    private static let path = "/proc/self/autogroup"

    /// The nice value of the session; nil where the system does not group threads by session.
    package static var current: Int? {
        guard let file = self.open(self.path, flags: O_RDONLY) else { return nil }
        defer { close(file) }
        let text = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        // Such as "/autogroup-132 nice -10".
        return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
    }

    /// Raises the priority of this session over other sessions if this process is the session leader.
    ///
    /// All other processes of such a session were started by this process.
    ///
    /// A service is its session's leader. A process that was started in a terminal shares the terminal's session, which
    /// stays unchanged. Without effect where the process lacks the privilege for a negative nice value.
    package static func preferOwn() async {
        guard getsid(0) == getpid() else { return }
        await self.set(self.preferred)
    }

    /// Raises the priority of this process's session over other sessions while `body` runs.
    ///
    /// - Parameters:
    ///   - log: called when the earlier nice value could not be restored.
    ///   - body: the urgent work. It runs at the current priority where the process lacks the privilege.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`.
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
        // In a task of its own, because a cancelled task would not pause between its attempts.
        guard await Task(operation: { await self.set(niceness) }).value == .refused else { return }
        let fields = [("session.niceness", "\(self.preferred)"), ("session.niceness_before", "\(niceness)")]
        log(LogEvent(.warning, "the previous nice value of the session could not be restored", fields))
    }

    /// The result of a request to change the nice value.
    enum Outcome {
        case changed
        case refused
    }

    // After any process has set the nice value of any session, the kernel rejects processes without CAP_SYS_ADMIN for a
    // tenth of a second (EAGAIN in `proc_sched_autogroup_set_nice`).
    private static let tries = 5
    private static let pause = Duration.milliseconds(110)

    /// Sets the nice value of the session, with retries after EAGAIN.
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

    /// Tries to set the nice value once; nil after EAGAIN.
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
