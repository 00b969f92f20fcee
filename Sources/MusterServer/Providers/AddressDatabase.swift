import CLibMaxMindDB
import Foundation
import MusterCore

// libmaxminddb maps the file into memory. Overwriting a mapped file would change the data during use, and truncating it
// would end the process. So a private copy is opened, whose name is removed at once.

/// An open database of network addresses in MaxMind's format.
///
/// `@unchecked`: nothing changes it after it was opened, and libmaxminddb's lookups may run concurrently.
final class AddressDatabase: @unchecked Sendable {
    /// The reason why a file cannot be used.
    struct Problem: Error, CustomStringConvertible {
        /// The message for people.
        let description: String
    }

    private let handle: UnsafeMutablePointer<MMDB_s>

    /// Opens a file and checks that it can be read.
    ///
    /// - Throws: the reason when it cannot.
    init(file: String) throws(Problem) {
        let copy = FileManager.default.temporaryDirectory.appending(path: "muster-geoip-\(UUID().uuidString)").path
        do {
            try FileManager.default.copyItem(atPath: file, toPath: copy)
        } catch {
            throw Problem(description: "cannot be read")
        }
        defer { unlink(copy) }
        let handle = UnsafeMutablePointer<MMDB_s>.allocate(capacity: 1)
        let status = MMDB_open(copy, UInt32(MMDB_MODE_MMAP), handle)
        guard status == MMDB_SUCCESS else {
            handle.deallocate()
            throw Problem(description: String(cString: MMDB_strerror(status)))
        }
        self.handle = handle
        // Damage inside the file shows only in lookups that reach it.
        for first in 1...223 {
            guard Self.isReadable(handle, "\(first).\(first * 7 % 256).\(first * 31 % 256).1") else {
                throw Problem(description: "is damaged")
            }
        }
    }

    deinit {
        MMDB_close(self.handle)
        self.handle.deallocate()
    }

    /// The approximate position of an address; nil when it is unknown.
    func guess(_ address: String) -> PositionGuess? {
        guard var entry = Self.entry(self.handle, address).entry else { return nil }
        func number(_ name: String) -> Double { muster_maxminddb_number(&entry, "location", name) }
        let (latitude, longitude) = (number("latitude"), number("longitude"))
        guard let point = ProviderJSON.coordinate(latitude, longitude) else { return nil }
        let radius = number("accuracy_radius")
        return PositionGuess(
            coordinate: Coordinate(
                latitude: (point.latitude * 10).rounded() / 10,
                longitude: (point.longitude * 10).rounded() / 10
            ),
            // The file has kilometres.
            accuracy: max(25, min(radius.isFinite ? radius : 25, 20_000)) * 1_000
        )
    }

    private static func isReadable(_ handle: UnsafeMutablePointer<MMDB_s>, _ address: String) -> Bool {
        let found = Self.entry(handle, address)
        guard found.status == MMDB_SUCCESS else { return false }
        guard var entry = found.entry else { return true }
        var list: UnsafeMutablePointer<MMDB_entry_data_list_s>?
        defer { MMDB_free_entry_data_list(list) }
        return MMDB_get_entry_data_list(&entry, &list) == MMDB_SUCCESS
    }

    private static func entry(
        _ handle: UnsafeMutablePointer<MMDB_s>,
        _ address: String
    ) -> (status: Int32, entry: MMDB_entry_s?) {
        var (unknown, status) = (Int32(0), Int32(0))
        let result = MMDB_lookup_string(handle, address, &unknown, &status)
        guard unknown == 0 else { return (MMDB_SUCCESS, nil) }
        return (status, status == MMDB_SUCCESS && result.found_entry ? result.entry : nil)
    }
}
