/// Which program this is.
package enum Build {
    /// Of the release; raised with each one.
    package static let version = "0.4.0"
}
