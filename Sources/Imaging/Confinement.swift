import CImagingShims
import Glibc

/// The confinement of a child process; see `muster_confine.h`.
package enum Confinement {
    /// The reason why a child process could not be confined or started.
    package enum Failure: Error, CustomStringConvertible {
        /// Limits could not be set, or privileges could not be dropped.
        case privileges(errno: Int32)
        /// libvips did not start.
        case library
        /// The system does not support filters of system calls.
        case filter(errno: Int32)

        package var description: String {
            switch self {
            case .privileges(let number):
                "resource limits and privileges cannot be set: \(String(cString: strerror(number)))"
            case .library:
                "libvips does not start: install the version of libvips42 with which Muster was built"
            case .filter(let number):
                "the system refuses a filter of system calls (seccomp): \(String(cString: strerror(number))). "
                    + "Allow seccomp(2) in the container, or use a kernel with CONFIG_SECCOMP_FILTER"
            }
        }
    }

    /// The address space of a child process, in bytes.
    package static let memory: UInt64 = 1 << 30

    /// Confines this process permanently.
    ///
    /// Starts libvips before, because that is impossible later.
    ///
    /// - Throws: the reason of the failure; the process must then exit.
    package static func begin() throws(Failure) {
        guard muster_confine_privileges(self.memory) else { throw .privileges(errno: errno) }
        guard PictureMaker.start() else { throw .library }
        guard muster_confine_calls() else { throw .filter(errno: errno) }
    }
}
