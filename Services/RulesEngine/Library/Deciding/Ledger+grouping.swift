import Store
import WaterQuality

extension Ledger {
    /// The place whose troubles are told together: a device on which they begin at once, or devices of one owner that fell silent at once.
    enum Place: Hashable {
        case device(DeviceKey)
        case site(Int64)

        init(_ device: DeviceKey, _ content: Alert.Content) {
            self = content.site.map { .site($0.site) } ?? .device(device)
        }
    }

    /// The alerts to a person that are told together.
    struct GroupKey: Hashable {
        var account: Account.ID
        var place: Place
        var audience: Alert.Audience?
        var isOver: Bool
    }
}

extension Alert.Content {
    /// The devices with which one fell silent.
    var site: SilentSite? { if case .silence(let silence) = self { silence.site } else { nil } }

    /// The same, with the devices with which one fell silent.
    func of(_ site: SilentSite?) -> Alert.Content {
        guard case .silence(var silence) = self else { return self }
        silence.site = site
        return .silence(silence)
    }
}
