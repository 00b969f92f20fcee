import Glibc
import ImagingWire

/// The main loop of a child process, which answers requests one after the other until the server closes the socket.
package struct ImagingService: ~Copyable {
    /// Seconds after which an alarm ends a child that is still busy with one operation, in case the server does not end
    /// it.
    private static let timeout: UInt32 = 20

    private let descriptor: Int32

    /// Creates a service on one end of a socket.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Serves until the socket ends.
    ///
    /// - Returns: false after an invalid message, after which the stream cannot be parsed, or an unsupported operation.
    package func run() -> Bool {
        while let head = self.read(ImagingLength.count) {
            guard let length = ImagingLength.read(head, upTo: ImagingRequest.longest),
                let message = self.read(length), let request = ImagingRequest(decoding: message),
                // A child without the required resources ends, because the picture is not at fault.
                PictureMaker.canMake(request.operation)
            else { return false }
            alarm(Self.timeout)
            let reply = self.reply(to: request)
            alarm(0)
            guard self.write(reply.encoded) else { return true }
        }
        return true
    }

    private func reply(to request: ImagingRequest) -> ImagingReply {
        request.bytes.withUnsafeBytes { bytes in
            do throws(ImagingRefusal) {
                return .made(try PictureMaker.make(request.operation, of: bytes))
            } catch {
                return .refused(error)
            }
        }
    }

    /// Reads `count` bytes; nil when the socket ends before.
    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let status = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(self.descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
            }
            if status > 0 {
                filled += status
            } else if status == 0 || errno != EINTR {
                return nil
            }
        }
        return bytes
    }

    /// Writes all bytes; false when the other end is closed.
    private func write(_ bytes: [UInt8]) -> Bool {
        var written = 0
        while written < bytes.count {
            let status = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    self.descriptor,
                    buffer.baseAddress?.advanced(by: written),
                    bytes.count - written,
                    Int32(MSG_NOSIGNAL)
                )
            }
            if status >= 0 {
                written += status
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
