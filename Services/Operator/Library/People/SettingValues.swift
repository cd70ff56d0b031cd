import WaterQuality

/// The settings beside a person's limits, as the API has them: a member for each.
struct SettingValues: Encodable {
    private let range: PersonalRange

    init(_ range: PersonalRange) { self.range = range }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Name.self)
        for setting in WatchSetting.allCases {
            let (name, value) = (Name(stringValue: setting.name), range.settings[setting])
            switch setting.form {
            case .flag: try members.encode(value != nil, forKey: name)
            case .seconds: try members.encode(value ?? 0, forKey: name)
            case .minutes: try members.encodeIfPresent(value, forKey: name)
            case .change: try members.encodeIfPresent(value.map { range.shownChange(Steps($0)) }, forKey: name)
            }
        }
    }
}
