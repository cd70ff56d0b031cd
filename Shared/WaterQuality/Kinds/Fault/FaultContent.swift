/// Content of an alert of kind fault: a probe is, or was, broken, or lies apart from a second one.
package struct FaultContent: Hashable, Sendable {
    package var parameter: Parameter
    /// The value that has stayed the same for too long; `nil` where the probe says itself that it is broken.
    package var flatAt: Float?
    /// The difference from a second probe in the same water, above zero where this one reads higher; `nil` where they are not compared.
    package var differsBy: Float?

    package init(parameter: Parameter, flatAt: Float? = nil, differsBy: Float? = nil) {
        self.parameter = parameter
        self.flatAt = flatAt
        self.differsBy = differsBy
    }
}
