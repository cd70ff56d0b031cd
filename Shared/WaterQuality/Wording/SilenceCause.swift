/// What is known of why nothing is heard of a device, or of one of its parameters.
package enum SilenceCause: Hashable, Sendable {
    /// The device is not connected: its power or its network.
    case cutOff
    /// The device is connected: its probe.
    case connected
    /// One parameter is missing beside others: its probe.
    case missing
    /// Another probe answers in place of the one in the water, which was probably replaced.
    case anotherProbe

    /// As alerts say it: `checkProbe` tells whether it is the probe that should be looked at. Nothing is wrong with one that answers.
    package init(parameter: Parameter?, checkProbe: Bool) {
        self =
            if parameter == nil { checkProbe ? .connected : .cutOff } else { checkProbe ? .missing : .anotherProbe }
    }

    /// Whether an alert says that another probe answers. The end of a silence has no cause.
    package static func isAnotherProbe(
        _ kind: Alert.Kind?, _ purpose: Alert.Purpose?, parameter: Parameter?, checkProbe: Bool
    ) -> Bool {
        kind == .silence && purpose != .recovery
            && SilenceCause(parameter: parameter, checkProbe: checkProbe) == .anotherProbe
    }
}
