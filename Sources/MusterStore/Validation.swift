/// Throws `badRequest` for `field` unless `condition` holds.
func require(_ condition: Bool, _ field: String, _ message: String) throws(DirectoryError) {
    guard condition else { throw DirectoryError(.badRequest(field: field), "\(field) \(message)") }
}
