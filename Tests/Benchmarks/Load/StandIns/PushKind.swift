import ArgumentParser

/// The endpoints that alerts are sent to: one kind of each class of channels. The raw values are the channels of endpoints.
enum PushKind: String, CaseIterable, ExpressibleByArgument, Encodable, Sendable {
    case webhook, webPush, ntfy, email, sms, apns, fcm

    var standIn: any PushStandIn {
        switch self {
        case .webhook: Webhooks()
        case .webPush: Browsers()
        case .ntfy: Topics()
        case .email: Mailboxes()
        case .sms: Telephones()
        case .apns: AppleDevices()
        case .fcm: AndroidDevices()
        }
    }

    /// All kinds, for an option's help.
    static var list: String {
        let names = allCases.map(\.rawValue)
        return "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
    }
}
