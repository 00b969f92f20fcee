import CImagingShims

/// What a child may not do, whatever a picture makes of it: see `muster_confine.h`.
package enum Confinement {
    /// Bytes of addresses that a child may have.
    package static let memory: UInt64 = 1 << 30

    /// Confines this process for good, with libvips started as long as that can be done.
    ///
    /// - Returns: false when the system does not let it, or libvips does not start.
    package static func begin() -> Bool {
        guard muster_confine_limits(self.memory), PictureMaker.start() else { return false }
        muster_confine_calls()
        return true
    }
}
