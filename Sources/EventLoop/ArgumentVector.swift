import Glibc

/// Lends texts to C as it wants the arguments or the environment of a program: a list that ends with a null.
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
