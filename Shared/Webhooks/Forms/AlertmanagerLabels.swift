import Store
import WaterQuality

/// The labels of an alert, which are what it is: the same for an alarm, its reminders and its end. What may differ between them, such as
/// how grave it is, or on which side of its range a value is, is an annotation. Nothing ends a test or a note, so each is one of its own.
struct AlertmanagerLabels: Encodable, Hashable {
    /// By names of letters and underscores.
    let values: [String: String]

    init(values: [String: String]) { self.values = values }

    init(_ alert: StoredAlert) {
        var values = ["alertname": "AquaMonitor\(alert.kind.rawValue.capitalized)"]
        values["device"] = alert.device
        values["parameter"] = alert.content.subject?.name
        if alert.device == nil { values["alert_id"] = alert.name.text }
        // A call is no alarm of the person's own, and ends by itself.
        if let call = alert.call {
            values["called"] = "true"
            values["caller"] = call.caller
        }
        self.values = values
    }

    func encode(to encoder: any Encoder) throws {
        try values.encode(to: encoder)
    }

    private var sorted: [(key: String, value: String)] { values.sorted { $0.key < $1.key } }

    /// As Alertmanager writes labels in the key of a group.
    var text: String {
        let pairs = sorted.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\(name)=\"\(escaped)\""
        }
        return "{\(pairs.joined(separator: ", "))}"
    }

    /// The fingerprint by Prometheus' own rule: FNV-1a of 64 bits over names and values, each ended by a byte that no UTF-8 has.
    var fingerprint: String {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for (name, value) in sorted {
            for text in [name, value] {
                for byte in Array(text.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
            }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension String {
    /// With a capital first letter.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
