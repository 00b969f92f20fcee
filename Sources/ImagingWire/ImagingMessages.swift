// The protocol between the server and its child processes, over a socket pair. All numbers are big-endian.
//
//     request   UInt32 length of the rest, UInt8 length of the name, the operation's name, the bytes
//     reply     UInt32 length of the rest, UInt8 verdict, and then
//               0 (made):   UInt8 count, and of each picture UInt32 width, UInt32 height, UInt32 length, the bytes
//               1… :        nothing; the verdict is the reason
//
// There is one request at a time. Both sides reject a length above their limit.

/// A request from the server to a child process.
package struct ImagingRequest: Sendable, Equatable {
    /// The maximum size of a message after its length field, in bytes.
    package static let longest = 16_777_216

    package var operation: ImagingOperation
    package var bytes: [UInt8]

    /// Creates a request for an operation on bytes.
    package init(_ operation: ImagingOperation, _ bytes: [UInt8]) {
        self.operation = operation
        self.bytes = bytes
    }

    /// Decodes a message without its length field; nil when it is invalid or the operation is unknown.
    package init?(decoding message: [UInt8]) {
        guard let count = message.first.map({ Int($0) }), message.count > count,
            let operation = ImagingOperation(rawValue: String(decoding: message[1...count], as: UTF8.self))
        else { return nil }
        self.init(operation, Array(message[(count + 1)...]))
    }

    /// The encoded message with its length field.
    package var encoded: [UInt8] {
        let name = Array(self.operation.rawValue.utf8)
        var message: [UInt8] = []
        message.reserveCapacity(5 + name.count + self.bytes.count)
        message.append(bigEndian: 1 + name.count + self.bytes.count)
        message.append(UInt8(name.count))
        message += name
        message += self.bytes
        return message
    }
}

/// A reply of a child process.
package enum ImagingReply: Sendable, Equatable {
    case made([Picture])
    case refused(ImagingRefusal)

    /// The maximum size of a message after its length field, in bytes.
    package static let longest = 33_554_432

    private static let madeVerdict: UInt8 = 0

    /// Decodes a message without its length field; nil when it is invalid.
    package init?(decoding message: [UInt8]) {
        guard let verdict = message.first else { return nil }
        guard verdict == Self.madeVerdict else {
            guard message.count == 1, let refusal = ImagingRefusal(rawValue: verdict) else { return nil }
            self = .refused(refusal)
            return
        }
        guard message.count >= 2 else { return nil }
        var rest = message[2...]
        var pictures: [Picture] = []
        for _ in 0..<message[1] {
            guard let width = rest.readBigEndian(), let height = rest.readBigEndian(), let count = rest.readBigEndian(),
                rest.count >= count
            else { return nil }
            pictures.append(Picture(width: width, height: height, bytes: Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        guard rest.isEmpty else { return nil }
        self = .made(pictures)
    }

    /// The encoded message with its length field.
    package var encoded: [UInt8] {
        switch self {
        case .refused(let refusal):
            return [0, 0, 0, 1, refusal.rawValue]
        case .made(let pictures):
            var message: [UInt8] = []
            message.append(bigEndian: 2 + pictures.reduce(0) { $0 + 12 + $1.bytes.count })
            message += [Self.madeVerdict, UInt8(pictures.count)]
            for picture in pictures {
                message.append(bigEndian: picture.width)
                message.append(bigEndian: picture.height)
                message.append(bigEndian: picture.bytes.count)
                message += picture.bytes
            }
            return message
        }
    }
}

/// The length field of a message.
package enum ImagingLength {
    /// The size of the length field in bytes.
    package static let count = 4

    /// Decodes a length; nil when it is incomplete or above the limit.
    package static func read(_ bytes: [UInt8], upTo longest: Int) -> Int? {
        var bytes = bytes[...]
        guard let length = bytes.readBigEndian(), length <= longest else { return nil }
        return length
    }
}
