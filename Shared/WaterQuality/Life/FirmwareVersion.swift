/// A version as firmware spells it, for comparing: `1.8.0`, `v1.14.0-gcb84623`, `14.2.0(tasmota32)`, `20191127-095444/v1.5.6@0d769d69`.
package struct FirmwareVersion: Comparable, Sendable {
    private let parts: [UInt64]

    /// - Returns: `nil` where the text has no numbers with a point between them: then nothing can be compared.
    package init?(_ text: String) {
        // A date and a hash may stand around the version.
        let numbers = text.utf8.split { !($0 == UInt8(ascii: ".") || Self.digits.contains($0)) }
        guard let version = numbers.first(where: { $0.contains(UInt8(ascii: ".")) }) else { return nil }
        let parts = version.split(separator: UInt8(ascii: ".")).map { UInt64(String(decoding: $0, as: UTF8.self)) }
        guard parts.count > 1, parts.count <= 8, !parts.contains(nil) else { return nil }
        var known = parts.compactMap(\.self)
        // 1.8 and 1.8.0 are the same.
        while known.last == 0, known.count > 1 { known.removeLast() }
        self.parts = known
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    package static func < (one: Self, other: Self) -> Bool { one.parts.lexicographicallyPrecedes(other.parts) }
}

/// The versions that run on a person's devices, so that old ones are found by newer ones beside them.
package struct FirmwareVersions: Sendable {
    private var newest: [LifeReport.Family: FirmwareVersion] = [:]

    package init(_ all: some Sequence<(family: LifeReport.Family?, version: String)>) {
        for (family, text) in all {
            guard let family, family.isComparable, let version = FirmwareVersion(text) else { continue }
            newest[family] = max(newest[family] ?? version, version)
        }
    }

    /// Whether another of the person's devices runs a newer version of the same firmware.
    package func areNewer(than version: String?, of family: LifeReport.Family?) -> Bool {
        guard let family, let newest = newest[family], let version = version.flatMap({ FirmwareVersion($0) }) else {
            return false
        }
        return version < newest
    }
}
