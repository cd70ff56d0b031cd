import Routes
import Store
import WaterQuality

/// A preset as a request names it: one that comes with the service, or one of somebody's own.
enum PresetChoice: Hashable, Sendable {
    case known(Preset)
    case own(OwnPresetID)

    /// As it is stored and answered.
    var text: String {
        switch self {
        case .known(let preset): preset.rawValue
        case .own(let id): "\(id)"
        }
    }

    init?(_ text: String) {
        if let preset = Preset(rawValue: text) {
            self = .known(preset)
        } else if let id = OwnPresetID(text) {
            self = .own(id)
        } else {
            return nil
        }
    }
}

extension Format where Value == PresetChoice {
    static let preset = Format.reading(
        "preset", example: "reef", count: 1...36,
        pattern:
            "^(\(Preset.allCases.map(\.rawValue).joined(separator: "|"))|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"
    ) { text throws(Fault) in
        guard let preset = PresetChoice(text) else { throw .notChoice(Preset.allCases.map(\.rawValue)) }
        return preset
    }
}
