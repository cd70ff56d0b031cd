extension SettingDeclaration {
    package static let delay = SettingDeclaration(
        "delaySeconds", .seconds(upTo: Int(WatchRules.delayBounds.upperBound.components.seconds)),
        "For how long a value must have been out of range before it alarms, by the device's clock; 0: at once.",
        example: 600)

    package static let unstable = SettingDeclaration(
        "tellsUnstable", .flag,
        "Whether a value that keeps leaving its range and returning is told once, as unstable, in place of its alarms.",
        example: 0)
}
