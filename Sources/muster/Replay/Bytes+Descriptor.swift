import Glibc

extension [UInt8] {
    /// Writes all bytes to a descriptor.
    func write(to descriptor: Int32) throws(ReplayError) {
        var written = 0
        while written < self.count {
            let count = self.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                throw ReplayError(.unwritable, message: "cannot write the output: \(String(cString: strerror(errno)))")
            }
        }
    }
}
