/// The share of the data that a device belongs to: 0 to 63.
///
/// Every hot row carries its slot and every claim names one, so that the hot tables can be distributed by slot. A
/// device's slot must never change, hence a published hash: FNV-1a, 64 bits, of the hardware id's UTF-8, modulo 64.
package struct Slot: RawRepresentable, Hashable, Comparable, Sendable {
    package static let count: Int16 = 64
    package static let all: [Slot] = (0..<count).map { Slot(checked: $0) }

    package let rawValue: Int16

    /// - Returns: `nil` outside of 0 to 63.
    package init?(rawValue: Int16) {
        guard (0..<Self.count).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    package init(of device: Device.HardwareID) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in device.text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        rawValue = Int16(hash % UInt64(Self.count))
    }

    private init(checked rawValue: Int16) { self.rawValue = rawValue }

    package static func < (left: Slot, right: Slot) -> Bool { left.rawValue < right.rawValue }
}
