/// The channels on which services notify each other of work. A notification is only a hint: a service that misses one
/// finds the work by polling.
package enum Channel {
    /// A batch waits in `evaluation_batch`; the payload names the slots, separated by commas.
    package static let evaluation = "evaluation"
    /// An alert waits in `alert`; the payload is empty.
    package static let alert = "alert"
    /// Followed devices have sent something; the payload is a `ReadingNotice`.
    package static let reading = "reading"
    /// The deliveries of an alert have progressed; the payload is the `description` of its `AlertKey`.
    package static let delivery = "delivery"
    /// Something has begun or ended with devices that show it, or readings of any device were deleted; the payload is a
    /// `DisplayNotice`.
    package static let display = "display"
    /// The setup of some people changed; the payload is a `SetupNotice`.
    package static let setup = "setup"
}
