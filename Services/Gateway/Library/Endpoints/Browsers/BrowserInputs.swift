import Routes

/// The parts of a browser's `PushSubscription`.
enum BrowserInputs {
    static let endpoint = Input<String>.field(
        "endpoint",
        .text(1...2048, pattern: "^[!-~]+$", example: "https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB"),
        "The address of the subscription at the browser's push service.")

    static let p256dh = Input<String>.field(
        "p256dh",
        .text(
            86...90, pattern: "^[A-Za-z0-9+/_=-]+$",
            example: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        "The subscription's public key (keys.p256dh), in base64 of either alphabet.")

    static let auth = Input<String>.field(
        "auth", .text(22...26, pattern: "^[A-Za-z0-9+/_=-]+$", example: "BTBZMqHH6r4Tts7J_aSIgg"),
        "The subscription's secret (keys.auth), likewise.")

    static let key = Input<String>.field(
        "applicationServerKey",
        .text(
            86...90, pattern: "^[A-Za-z0-9+/_=-]+$",
            example: "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"),
        "The key that the browser subscribed with (options.applicationServerKey), likewise.")
}
