import Instants
import Store
import WaterQuality

/// A test that a person makes of the water, by the UUID that their client gave it.
struct HandTestID: RowUUID {
    let rawValue: UInt128
}

/// The content of a test.
struct HandTestContent: Hashable, Sendable {
    var at: Timestamp
    /// `nil` for a kit that is not known, or a meter.
    var kit: String?
    var note: String?
    /// In the order of parameters, each at most once.
    var values: [HandValue]
}

/// A test as it is stored.
struct HandTest: Sendable {
    var id: HandTestID
    var version: Int32
    var content: HandTestContent
    /// Whether these are the values of a sample of the field, which has the same id.
    var isOfSample = false
    /// The maker; `nil`: somebody who is gone.
    var by: CarePerson?
}

/// One value by hand, with the test that it is of.
struct HandPoint: Sendable {
    var test: HandTestID
    var at: Timestamp
    var kit: String?
    var by: CarePerson?
    var value: HandValue
}
