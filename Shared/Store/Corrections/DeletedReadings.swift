import Postgres
import WaterQuality

/// The outcome of a wish to delete readings, in the words of the function `delete_readings`.
package struct DeletedReadings: Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        /// Nothing was done: nobody said how many readings they had seen, or there are none.
        case counted
        case deleted
        /// There are not as many readings as were seen.
        case differs
        case unknown, notOwner
        /// A period that is approved is in the stretch.
        case approved
        /// Longer than `longestDays`.
        case tooLong
        /// More messages than `mostMessages`.
        case tooMany
        /// No messages of its beginning are kept.
        case tooOld
    }

    /// The bounds of one deletion, as `delete_readings` keeps them.
    package static let longestDays = 31
    package static let mostMessages = 25_000

    package var outcome: Outcome
    /// The messages of which something is deleted.
    package var messages: Int
    package var readings: Int

    init(_ row: inout RowReader) throws {
        outcome = try row.read()
        messages = Int(try row.read(Int32.self))
        readings = Int(try row.read(Int32.self))
    }
}
