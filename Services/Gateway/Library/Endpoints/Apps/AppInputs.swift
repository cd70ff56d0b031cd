import Routes
import WaterQuality

/// The push service by which an app is told. The raw values are those of the API, and of the channels.
enum AppPlatform: String, CaseIterable, Sendable {
    /// Apple's.
    case apns
    /// Firebase Cloud Messaging.
    case fcm

    var channel: Endpoint.Channel {
        switch self {
        case .apns: .apns
        case .fcm: .fcm
        }
    }
}

/// An app's word for itself.
enum AppInputs {
    static let platform = Input<AppPlatform>.field(
        "platform", .choice(AppPlatform.self), "The push service that the token is of: apns (Apple) or fcm (Firebase).")

    static let token = Input<String>.field(
        "token",
        .text(32...1024, pattern: "^[A-Za-z0-9:._~+/=-]+$", example: String(repeating: "0a", count: 32)),
        "The token that the phone's system gave the app: of Apple's 64 to 200 hexadecimal digits.")
}

/// The token of an app, by which its push service finds the phone: whoever has it and our keys can write there.
struct AppToken: Sendable {
    let platform: AppPlatform
    let text: String

    /// - Returns: nil for a text that is no token of this push service.
    init?(_ text: String, of platform: AppPlatform) {
        switch platform {
        case .apns:
            guard text.wholeMatch(of: /[0-9A-Fa-f]{64,200}/) != nil, text.utf8.count % 2 == 0 else { return nil }
            self.text = text.lowercased()
        case .fcm: self.text = text
        }
        self.platform = platform
    }

    /// The address that tells it from any other.
    var target: String {
        switch platform {
        case .apns: "https://api.push.apple.com/3/device/\(text)"
        case .fcm: "https://fcm.googleapis.com/\(text)"
        }
    }
}
