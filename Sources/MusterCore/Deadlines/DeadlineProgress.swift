// A machine that waits for deadlines handles an instant, and then names the next one. If that is no later, it handles the same
// instant for ever, and everything that shares its thread stops. So after each instant it asks here what comes next.
//
// Invariant: `next` is later than the instant that was handled.

/// Ensures that a machine gets past each of its deadlines.
package struct DeadlineProgress: Sendable, Equatable {
    /// What becomes of a deadline that is not later than the instant at which it was handled.
    package enum Remedy: Sendable {
        /// The process ends: an error that must be found before it is shipped.
        case trap
        /// The deadline is put off by `pause`, and reported.
        case postpone

        /// Debug builds trap, release builds go on.
        package static var ofBuild: Self {
            #if DEBUG
            .trap
            #else
            .postpone
            #endif
        }
    }

    /// How long in milliseconds a deadline is put off.
    package static let pause: Int64 = 60_000

    private let remedy: Remedy
    /// A deadline that no step of the machine clears; never when there is none.
    private let rehearsed: Timestamp
    /// The moment before which deadlines do not count, because one of them did not pass.
    private(set) var resumption = Timestamp(milliseconds: .min)
    /// The deadline that was put off last and has not been reported; never when there is none.
    private var unreported = Timestamp.never

    /// Creates the guard of a machine.
    ///
    /// - Parameters:
    ///   - remedy: what becomes of a deadline that does not pass.
    ///   - rehearsed: a deadline that does not pass, whatever the machine does: for tests of the remedy.
    package init(_ remedy: Remedy = .ofBuild, rehearsing rehearsed: Timestamp? = nil) {
        self.remedy = remedy
        self.rehearsed = rehearsed ?? .never
    }

    /// The moment at which to go on after an instant was handled: the machine's next deadline, or a later one if that is past.
    @inline(__always)
    mutating func next(_ deadline: Timestamp, after instant: Timestamp) -> Timestamp {
        let deadline = min(deadline, self.rehearsed)
        return deadline > instant ? deadline : self.postpone(deadline, after: instant)
    }

    /// The deadline that was put off since the last call; nil when none was.
    mutating func takeReport() -> Timestamp? {
        guard self.unreported != .never else { return nil }
        defer { self.unreported = .never }
        return self.unreported
    }

    @inline(never)
    private mutating func postpone(_ deadline: Timestamp, after instant: Timestamp) -> Timestamp {
        switch self.remedy {
        case .trap:
            // Said also where optimised code leaves out the words of a precondition.
            fatalError("a deadline did not pass: \(deadline.milliseconds), handled at \(instant.milliseconds)")
        case .postpone:
            self.unreported = deadline
            self.resumption = instant + Self.pause
            return self.resumption
        }
    }
}
