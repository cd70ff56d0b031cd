import WaterQuality

@testable import RulesEngine

extension Alert.Content {
    /// The content of an alert of kind range.
    var range: RangeContent {
        guard case .range(let content) = self else { preconditionFailure("an alert of another kind") }
        return content
    }
}

extension AlertRecord {
    var range: RangeContent { content.range }
}
