import CLibCurl

/// libcurl's `CURLM *`, owned.
///
/// `@unchecked`: other threads only call `wake`, for which libcurl vouches; all else happens on the one thread of its loop.
final class MultiHandle: @unchecked Sendable {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    let pointer: UnsafeMutableRawPointer

    init() {
        guard Self.isReady, let pointer = curl_multi_init() else { preconditionFailure("libcurl cannot be set up") }
        self.pointer = pointer
    }

    // Nobody has the handle any more, so no thread is in it.
    deinit { curl_multi_cleanup(self.pointer) }

    /// Ends a wait of the loop, from any thread.
    func wake() { curl_multi_wakeup(self.pointer) }
}
