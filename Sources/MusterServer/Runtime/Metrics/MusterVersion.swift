/// The version of this build.
package enum MusterVersion {
    /// As `muster --version` and `muster_build_info` show it.
    package static let current = "0.1.0"
}
