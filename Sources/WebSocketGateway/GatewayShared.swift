import Synchronization

/// The few things that a gateway's threads share.
final class GatewayShared: Sendable {
    let admissions: AdmissionBook
    let staticFiles: StaticFiles
    private let draining = Atomic<Bool>(false)

    init(admissions: AdmissionBook, staticFiles: StaticFiles) {
        self.admissions = admissions
        self.staticFiles = staticFiles
    }

    /// Whether new WebSockets are refused.
    var isDraining: Bool {
        get { self.draining.load(ordering: .relaxed) }
        set { self.draining.store(newValue, ordering: .relaxed) }
    }
}
