/// What an alert of kind silence says: nothing is, or was, heard.
package struct SilenceContent: Hashable, Sendable {
    /// `nil` for the whole device.
    package var parameter: Parameter?
    /// Whether the device is connected, or sends other parameters, all the same.
    package var checkProbe: Bool

    package init(parameter: Parameter?, checkProbe: Bool) {
        self.parameter = parameter
        self.checkProbe = checkProbe
    }
}
