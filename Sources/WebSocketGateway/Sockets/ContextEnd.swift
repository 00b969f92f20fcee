import CLibUV
import CLibWebSockets
import Glibc

/// Ends a libwebsockets context on a foreign libuv loop.
///
/// Version 4.1.6 closes the descriptor by which it is woken twice: in `lws_context_destroy`, and once more when the loop
/// has closed its handle. In between another thread may open something that gets the number, and would lose it.
/// So the number is occupied before the loop turns, or the second close is prevented.
struct ContextEnd {
    /// The handle of the descriptor by which the context is woken.
    private var handle: UnsafeMutablePointer<uv_handle_t>?
    private var descriptor: Int32 = -1

    /// Looks on a loop for the handle of its new context: the only one that polls.
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

    /// Cuts every socket of the context and frees it, turning its loop until all handles are closed.
    ///
    /// - Parameters:
    ///   - context: the context.
    ///   - loop: the loop that it lives on.
    ///   - spare: an open descriptor, to occupy a number with.
    func destroy(_ context: OpaquePointer, on loop: UnsafeMutablePointer<uv_loop_t>, spare: Int32) {
        // On a foreign loop the first call closes, the loop tells that it is done, and the second call frees.
        lws_context_destroy(context)
        let occupied = fcntl(spare, F_DUPFD_CLOEXEC, self.descriptor)
        if occupied == self.descriptor {
            uv_run(loop, UV_RUN_DEFAULT)
            lws_context_destroy(context)
        } else {
            // Another thread has the number already. All other sockets are closed; what is left of the context stays.
            if occupied >= 0 { close(occupied) }
            self.handle?.pointee.close_cb = nil
            uv_run(loop, UV_RUN_NOWAIT)
        }
    }
}
