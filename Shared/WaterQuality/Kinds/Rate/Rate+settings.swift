extension SettingDeclaration {
    package static let change = SettingDeclaration(
        "changePerHour", .change,
        "A greater change within an hour, up or down, alarms; null: none does. In the unit that change names, and as a difference: "
            + "5 in C is 9 in F. It snaps to what the sensor tells apart.",
        example: 3)
}
