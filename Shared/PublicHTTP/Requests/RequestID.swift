import FoundationEssentials

/// The id of a request in the logs; people see it in `X-Request-Id`.
package enum RequestID {
    /// The id that a proxy in front has given the request and written to its own logs; nil if it is missing or not
    /// plain.
    package static func taken(from header: String?) -> String? {
        guard let header, (8...64).contains(header.utf8.count) else { return nil }
        let isPlain = header.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isPlain ? header : nil
    }

    package static func random() -> String { UUID().uuidString.lowercased() }
}
