import CImagingShims
import Glibc

/// The confinement of a child: see `muster_confine.h`.
package enum Confinement {
    /// Why a child could not be confined or started.
    package enum Failure: Error, CustomStringConvertible {
        /// Limits could not be set, or privileges not given up.
        case privileges(errno: Int32)
        /// libvips did not start.
        case library
        /// The system took no filter of system calls.
        case filter(errno: Int32)

        package var description: String {
            switch self {
            case .privileges(let number):
                "limits and privileges cannot be set: \(String(cString: strerror(number)))"
            case .library:
                "libvips does not start: is the package libvips42 installed as it was when Muster was built?"
            case .filter(let number):
                "the system takes no filter of system calls (seccomp): \(String(cString: strerror(number))). "
                    + "Allow seccomp(2) in the container, or use a kernel with CONFIG_SECCOMP_FILTER"
            }
        }
    }

    /// Bytes of addresses that a child may have.
    package static let memory: UInt64 = 1 << 30

    /// Confines this process for good, and starts libvips while that is still possible.
    ///
    /// - Throws: the reason, when anything of it fails; the process must then end.
    package static func begin() throws(Failure) {
        guard muster_confine_privileges(self.memory) else { throw .privileges(errno: errno) }
        guard PictureMaker.start() else { throw .library }
        guard muster_confine_calls() else { throw .filter(errno: errno) }
    }
}
