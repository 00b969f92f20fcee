// A machine that waits for deadlines handles an instant, and then computes the next one. If that is not later, it
// handles the same instant forever, and everything on its thread stops. So after each instant it calls `next` here.
//
// Invariant: the result of `next` is later than the handled instant.

/// The guard that ensures that a machine gets past each of its deadlines.
package struct DeadlineProgress: Sendable, Equatable {
    /// The reaction to a deadline that is not later than the handled instant.
    enum Remedy: Sendable {
        /// The process ends, so that the error is found before a release.
        case trap
        /// The deadline is postponed by `pause`, and reported.
        case postpone

        /// `trap` in debug builds, `postpone` in release builds.
        static var ofBuild: Self {
            #if DEBUG
            .trap
            #else
            .postpone
            #endif
        }
    }

    /// The delay of a postponed deadline in milliseconds.
    package static let pause: Int64 = 60_000

    private let remedy: Remedy
    /// A deadline that no step of the machine clears; never if there is none.
    private let rehearsed: Timestamp
    /// The moment before which deadlines do not count, because one of them did not pass.
    private(set) var resumption = Timestamp(milliseconds: .min)
    /// The last postponed deadline that has not been reported; never if there is none.
    private var unreported = Timestamp.never

    /// Creates the guard of a machine.
    ///
    /// - Parameters:
    ///   - remedy: the reaction to a deadline that does not pass.
    ///   - rehearsed: a deadline that never passes, for tests of the remedy.
    init(_ remedy: Remedy = .ofBuild, rehearsing rehearsed: Timestamp? = nil) {
        self.remedy = remedy
        self.rehearsed = rehearsed ?? .never
    }

    /// The next instant to handle: the machine's next deadline, or a later moment if that is past.
    @inline(__always)
    mutating func next(_ deadline: Timestamp, after instant: Timestamp) -> Timestamp {
        let deadline = min(deadline, self.rehearsed)
        return deadline > instant ? deadline : self.postpone(deadline, after: instant)
    }

    /// Returns the deadline postponed since the last call; nil if there was none.
    mutating func takeReport() -> Timestamp? {
        guard self.unreported != .never else { return nil }
        defer { self.unreported = .never }
        return self.unreported
    }

    @inline(never)
    private mutating func postpone(_ deadline: Timestamp, after instant: Timestamp) -> Timestamp {
        switch self.remedy {
        case .trap:
            // A fatal error, because optimised code leaves out the message of a precondition.
            fatalError("a deadline did not pass: \(deadline.milliseconds), handled at \(instant.milliseconds)")
        case .postpone:
            self.unreported = deadline
            self.resumption = instant + Self.pause
            return self.resumption
        }
    }
}
