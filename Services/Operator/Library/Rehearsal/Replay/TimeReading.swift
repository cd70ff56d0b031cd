import Instants
import WaterQuality

/// How a column's texts become instants.
struct TimeReading: Sendable {
    /// Tried one after another; none means the usual forms.
    private let formats: [TimeFormat]
    private let readsInstants: Bool
    private let zone: Zone

    /// - Parameter format: nil for the usual forms: ISO 8601 (with or without offset; `T` or a blank; seconds and fraction may
    ///   be missing; a date alone is its midnight), Unix seconds, and the form of American spreadsheets, `7/2/2021 0:15`
    ///   (month first, seconds optional).
    init(format: TimeFormat?, zone: Zone) {
        formats = format.map { [$0] } ?? Self.usual
        readsInstants = format == nil
        self.zone = zone
    }

    /// The instant that the text names; nil if it does not fit.
    func instant(_ text: String) -> Timestamp? {
        if readsInstants, let instant = Timestamp(text) { return instant }
        for format in formats {
            if let written = format.parse(text) { return zone.instant(of: written) }
        }
        return nil
    }

    private static let usual: [TimeFormat] = [
        "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f",
        "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%d",
        "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%m/%d/%Y",
    ].compactMap { try? TimeFormat($0) }
}
