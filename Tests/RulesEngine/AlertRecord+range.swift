import WaterQuality

@testable import RulesEngine

extension AlertRecord {
    /// The content of an alert of kind range.
    var range: RangeContent {
        guard let range = content.range else { preconditionFailure("an alert of another kind") }
        return range
    }
}
