/// Content of an alert of kind silence: nothing is, or was, heard.
package struct SilenceContent: Hashable, Sendable {
    /// `nil` for the whole device.
    package var parameter: Parameter?
    /// Whether the device is connected, or sends other parameters, all the same.
    package var checkProbe: Bool
    /// The probable explanation, by the device's own words; `nil` where none is known, and for a parameter.
    package var hint: SilenceHint?
    /// The devices with which it fell silent; `nil` where it did so alone, and for a parameter.
    package var site: SilentSite?

    package init(parameter: Parameter?, checkProbe: Bool, hint: SilenceHint? = nil, site: SilentSite? = nil) {
        self.parameter = parameter
        self.checkProbe = checkProbe
        self.hint = hint
        self.site = site
    }

    /// The known cause of a silence.
    package enum Cause: String, Sendable {
        /// The device is not connected: check its power or network.
        case cutOff
        /// The device is connected: check its probe.
        case connected
        /// One parameter is missing beside others: check its probe.
        case missing
        /// Another probe answers in place of the one in the water, which was probably replaced.
        case anotherProbe
    }

    /// The cause, of an alarm or a reminder; the end of a silence has none. A probe that answers needs no attention.
    package var cause: Cause {
        if parameter == nil { checkProbe ? .connected : .cutOff } else { checkProbe ? .missing : .anotherProbe }
    }
}
