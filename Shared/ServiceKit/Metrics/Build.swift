/// The identity of this program.
package enum Build {
    /// The release's version, raised with each one.
    package static let version = "0.4.0"
}
