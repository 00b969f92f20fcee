import CLibCurl

/// The owner of libcurl's `CURLM *`.
///
/// `@unchecked`: other threads only call `wake`, which libcurl documents as thread-safe. All other calls happen on the
/// loop's thread.
final class MultiHandle: @unchecked Sendable {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    let pointer: UnsafeMutableRawPointer

    init() {
        guard Self.isReady, let pointer = curl_multi_init() else { preconditionFailure("libcurl cannot be set up") }
        self.pointer = pointer
    }

    // No reference to the handle is left, so no thread uses it.
    deinit { curl_multi_cleanup(self.pointer) }

    /// Interrupts a wait of the loop, from any thread.
    func wake() { curl_multi_wakeup(self.pointer) }
}
