import Glibc

/// A user account of this machine.
struct SystemUser: Sendable {
    let name: String
    let id: uid_t
    let group: gid_t

    /// Looks an account up by name; nil when it does not exist.
    init?(named name: String) {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        self.name = name
        self.id = entry.pw_uid
        self.group = entry.pw_gid
    }
}
