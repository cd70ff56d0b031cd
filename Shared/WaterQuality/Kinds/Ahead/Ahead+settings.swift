extension SettingDeclaration {
    package static let ahead = SettingDeclaration(
        "aheadMinutes", .minutes(WatchRules.aheadMinutes),
        "How long before a limit is reached it is told, if the value goes on as it has lately; null: it is not.",
        example: 120)
}
