import Glibc
import ImagingWire

/// The life of a child: reads requests and answers them, one after the other, until the server lets go of it.
package struct ImagingService: ~Copyable {
    /// Seconds after which the system ends a child that is still at one operation, should the server not.
    private static let patience: UInt32 = 20

    private let descriptor: Int32

    /// Serves the other end of a socket.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Serves until the socket ends.
    ///
    /// - Returns: false when what came was no request, behind which nothing can be understood, or one that cannot be done here.
    package func run() -> Bool {
        while let head = self.read(ImagingLength.count) {
            guard let length = ImagingLength.read(head, upTo: ImagingRequest.longest),
                let message = self.read(length), let request = ImagingRequest(decoding: message),
                // A child that lacks something ends: then the fault is not the picture's.
                PictureMaker.canMake(request.operation)
            else { return false }
            alarm(Self.patience)
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

    /// So many bytes; nil when the socket ends before.
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

    /// Writes all of it; false when nobody reads any more.
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
