import Glibc

/// Passes strings to C in the format of `argv` and `environ`: an array that ends with a null pointer.
package func withArgumentVector<Value>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("an argument vector has its terminator") }
        return body(base)
    }
}
