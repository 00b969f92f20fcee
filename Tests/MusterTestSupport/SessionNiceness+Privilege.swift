package import EventLoop

extension SessionNiceness {
    /// Whether this process may raise its session's priority: the kernel groups processes by session, and grants the
    /// privilege.
    ///
    /// A shell that leads its own session tries it, because the privilege depends on several conditions: a capability,
    /// which has no effect in most containers, or a limit, and the kernel's interval of a tenth of a second between two
    /// changes.
    package static let canPrefer: Bool = {
        guard SessionNiceness.current != nil else { return false }
        let attempt = "for try in 1 2 3 4 5; do echo -10 >/proc/self/autogroup && exit; sleep 0.11; done; exit 1"
        let result = try? Tool.run("/bin/sh", ["-c", "setsid -w /bin/sh -c '\(attempt)'"])
        return result?.status == 0
    }()
}
