/// The known cause of a device's, or a parameter's, silence.
package enum SilenceCause: Hashable, Sendable {
    /// The device is not connected: check its power or network.
    case cutOff
    /// The device is connected: check its probe.
    case connected
    /// One parameter is missing beside others: check its probe.
    case missing
    /// Another probe answers in place of the one in the water, which was probably replaced.
    case anotherProbe

    /// The cause as alerts store it: `checkProbe` says that the probe needs attention, which one that answers does not.
    package init(parameter: Parameter?, checkProbe: Bool) {
        self =
            if parameter == nil { checkProbe ? .connected : .cutOff } else { checkProbe ? .missing : .anotherProbe }
    }

    /// Whether an alert reports that another probe answers. The end of a silence has no cause.
    package static func isAnotherProbe(
        _ kind: Alert.Kind?, _ purpose: Alert.Purpose?, parameter: Parameter?, checkProbe: Bool
    ) -> Bool {
        kind == .silence && purpose != .recovery
            && SilenceCause(parameter: parameter, checkProbe: checkProbe) == .anotherProbe
    }
}
