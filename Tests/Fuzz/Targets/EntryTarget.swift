import MQTT
import People
import Secrets
import WaterQuality

@testable import Operator

extension FuzzTarget {
    /// Text that people type.
    static let entry = FuzzTarget(
        "entry",
        seeds: [
            "7KQ2-M8XD-0R4T", " Koi pond ", "ada@example.org", "24.5", "none", "Temp=temperature:F", "24h",
            "mqtts://[::1]:8883/", "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "dissolvedOxygen", "°F",
            "tank-1",
        ],
        words: [
            "=", ":", "@", "-", "_", " ", "whsec_", "mqtt://", "[", "]", "temperature", "\u{301}", "ß", "\u{200B}",
            "e9", "nan",
        ]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let code = ClaimCode(text) { try promise(ClaimCode("\(code)") == code, "\(text) is \(code)") }
        if let name = DeviceName(text) {
            try promise(DeviceName(name.text) == name, "\(text) is \(name.text)")
            try promisePresentable(name.text, longest: 4 * DeviceName.longest)
        }
        if let address = EmailAddress(text) {
            let fault = PasswordRule.fault(in: text, of: address)
            try promise(fault != nil, "an address is a password")
            try promise(EmailAddress(address.text) == address, "\(text) is \(address)")
            try promisePresentable(address.text, longest: 4 * 254)
        }
        if case .value(let limit)? = try? RangeChange.Limit(argument: text) {
            try promise(limit.isFinite, "a limit of \(limit)")
        }
        if let device = Device.HardwareID(text) {
            try promise(
                device.text == text && (0..<Slot.count).contains(Slot(of: device).rawValue), "\(text) has no slot")
        }
        if let secret = WebhookSecret(text) { try promise(WebhookSecret(secret.text) != nil, "\(text) is no secret") }
        if let endpoint = try? MQTTEndpoint(url: text) {
            try promise(try MQTTEndpoint(url: "\(endpoint)") == endpoint, "\(text.debugDescription) is \(endpoint)")
        }
        if let parameter = Parameter(name: text) { try promise(Parameter(name: parameter.name) == parameter, text) }
        if let unit = Unit(spelling: text) { try promise(Unit(spelling: unit.rawValue) == unit, text) }
        _ = try? ColumnMapping(text)
        _ = try? Since(text)
    }
}
