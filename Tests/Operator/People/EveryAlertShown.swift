/// What the tool shows of the alerts of `EveryAlert`.
enum EveryAlertShown {
    static let table = #"""
        """#

    static let json = #"""
        """#
}
