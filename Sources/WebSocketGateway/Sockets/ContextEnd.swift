import CLibUV
import CLibWebSockets
import Glibc

/// The end of a libwebsockets context on a foreign libuv loop.
///
/// Version 4.1.6 closes its wake descriptor twice: in `lws_context_destroy`, and once more when the loop has closed its
/// handle. In between, another thread may open a file with the same number, and would lose it. So the number is
/// occupied before the loop runs, or the second close is prevented.
struct ContextEnd {
    /// The handle of the context's wake descriptor.
    private var handle: UnsafeMutablePointer<uv_handle_t>?
    private var descriptor: Int32 = -1

    /// Finds the handle of a new context on its loop: the only handle that polls.
    init(loop: UnsafeMutablePointer<uv_loop_t>) {
        withUnsafeMutablePointer(to: &self) { pointer in
            let found: uv_walk_cb = { handle, argument in
                guard let handle, let argument, handle.pointee.type == UV_POLL else { return }
                let end = argument.assumingMemoryBound(to: ContextEnd.self)
                end.pointee.handle = handle
                uv_fileno(handle, &end.pointee.descriptor)
            }
            uv_walk(loop, found, pointer)
        }
    }

    /// Cuts every socket of the context and frees it.
    ///
    /// Runs its loop until all handles are closed.
    ///
    /// - Parameters:
    ///   - context: the context.
    ///   - loop: the context's loop.
    ///   - spare: an open descriptor, of which a duplicate occupies the number.
    func destroy(_ context: OpaquePointer, on loop: UnsafeMutablePointer<uv_loop_t>, spare: Int32) {
        // On a foreign loop, the first call closes the handles, the loop reports the end, and the second call frees the
        // context.
        lws_context_destroy(context)
        let occupied = fcntl(spare, F_DUPFD_CLOEXEC, self.descriptor)
        if occupied == self.descriptor {
            uv_run(loop, UV_RUN_DEFAULT)
            lws_context_destroy(context)
        } else {
            // Another thread already uses the number. All other sockets are closed; the rest of the context is leaked.
            if occupied >= 0 { close(occupied) }
            self.handle?.pointee.close_cb = nil
            uv_run(loop, UV_RUN_NOWAIT)
        }
    }
}
