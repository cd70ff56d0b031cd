import Routes
import Store
import WaterQuality

/// A setting beside the limits as the API takes it, made from its declaration.
enum SettingInput: Sendable {
    case flag(Input<Bool?>)
    case seconds(Input<Int?>)
    case minutes(Input<Change<Int>>)
    case change(Input<Change<Double>>)

    static let all = WatchSetting.allCases.map { SettingInput($0.declaration) }

    static func of(_ setting: WatchSetting) -> SettingInput { all[setting.rawValue] }

    private init(_ declared: SettingDeclaration) {
        let (name, text, example) = (declared.name, declared.text, declared.example)
        switch declared.form {
        case .flag: self = .flag(.optionalField(name, .boolean, text))
        case .seconds(let most):
            self = .seconds(.optionalField(name, .integer(0...most).example(.integer(Int64(example))), text))
        case .minutes(let bounds):
            self = .minutes(.change(name, Format.integer(bounds).example(.integer(Int64(example))), text))
        case .change:
            self = .change(.change(name, Format.decimal(0...1_000_000).example(.integer(Int64(example))), text))
        }
    }

    var declaration: any InputDeclaration {
        switch self {
        case .flag(let input): input
        case .seconds(let input): input
        case .minutes(let input): input
        case .change(let input): input
        }
    }

    /// - Returns: nil where the request leaves the setting as it is.
    func limit(in inputs: Inputs) -> RangeChange.Limit? {
        switch self {
        case .flag(let input): inputs[input].map { .value($0 ? 1 : 0) }
        case .seconds(let input): inputs[input].map { .value(Double($0)) }
        case .minutes(let input): inputs[input].map(Double.init).limit
        case .change(let input): inputs[input].limit
        }
    }

    /// The value of the setting, as a member of an answer.
    static func member(of setting: WatchSetting) -> OutputMember<PersonParameter> {
        let declared = setting.declaration
        let example = JSON.integer(Int64(declared.example))
        return switch declared.form {
        case .flag:
            .member(declared.name, .boolean, declared.text, example: .bool(declared.example != 0)) {
                $0.setting.settings[setting] != nil
            }
        case .seconds:
            .member(declared.name, .integer, declared.text, example: example) {
                Int($0.setting.settings[setting] ?? 0)
            }
        case .minutes:
            .member(declared.name, .optional(of: .integer), declared.text, example: example) {
                $0.setting.settings[setting].map { Int($0) }
            }
        case .change:
            .member(declared.name, .optional(of: .decimal), declared.text, example: example) { parameter in
                parameter.setting.settings[setting].map { parameter.range.shownChange(Steps($0)) }
            }
        }
    }
}

extension Change {
    func map<Other>(_ transform: (Value) -> Other) -> Change<Other> {
        switch self {
        case .unchanged: .unchanged
        case .clear: .clear
        case .set(let value): .set(transform(value))
        }
    }
}

extension Change<Double> {
    var limit: RangeChange.Limit? {
        switch self {
        case .unchanged: nil
        case .clear: RangeChange.Limit.none
        case .set(let value): .value(value)
        }
    }
}
