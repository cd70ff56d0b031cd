/// Content of an alert of kind fault: a probe is, or was, broken.
package struct FaultContent: Hashable, Sendable {
    package var parameter: Parameter
    /// The value that has stayed the same for too long; `nil` where the probe says itself that it is broken.
    package var flatAt: Float?

    package init(parameter: Parameter, flatAt: Float? = nil) {
        self.parameter = parameter
        self.flatAt = flatAt
    }
}
