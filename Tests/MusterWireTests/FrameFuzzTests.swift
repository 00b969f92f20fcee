import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

/// SplitMix64: a small generator with its seed as the whole state.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed }

    mutating func next() -> UInt64 {
        self.state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = self.state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

@Suite struct FrameFuzzTests {
    private static let seeds = GoldenFrames.client.map { Array($0.json.utf8) }
    private static let pieces = [
        "null", "true", "-1", "0", "1e999", "-1e-999", "99999999999999999999", "1.5", "\"\"", "\"\\u0000\"", "[]",
        "{}", "\"\\ud83e\"", ",", ":", "{", "}", "[", "]", "\"", "\\", "🧗", "\u{0}", "9007199254740993",
    ].map { Array($0.utf8) }

    @Test("no mutation of a valid frame crashes the decoder", arguments: [1, 2])
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let decoder = FrameDecoder(requests: GoldenFrames.requests)
        var passed = 0
        var refused: [ErrorCode: Int] = [:]
        for _ in 0..<40_000 {
            let bytes = Self.mutant(&random)
            switch decoder.decode(copying: bytes) {
            case .frame: passed += 1
            case .failure(let error):
                refused[error.code, default: 0] += 1
                #expect(!error.message.isEmpty, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
                // Every error frame must be valid JSON itself.
                _ = try JSONDocument(ServerFrame.error(error).encoded)
            }
        }
        // If all mutants failed in the same way, only the parser would be tested.
        #expect(passed > 1000)
        for code in [ErrorCode.badJSON, .badRequest, .unknownType, .badFix] { #expect(refused[code, default: 0] > 50) }
    }

    private static func mutant(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = self.seeds[Int.random(in: 0..<self.seeds.count, using: &random)]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.replaceSubrange(place..<end, with: bytes[place..<end].map { $0 ^ 1 })
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4:
                bytes.insert(contentsOf: self.pieces[Int.random(in: 0..<self.pieces.count, using: &random)], at: place)
            default: self.replaceValue(in: &bytes, &random)
            }
        }
        return bytes
    }

    /// Replaces a value in the frame, so that it remains JSON and a rule of the protocol decides.
    private static func replaceValue(in bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
        guard let colon = colons.randomElement(using: &random) else { return }
        let start = colon + 1
        let end = bytes[start...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: self.pieces[Int.random(in: 0..<14, using: &random)])
    }
}
