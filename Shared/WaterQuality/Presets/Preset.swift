package import Words

/// What somebody keeps, with limits that its water may begin with.
///
/// A starting point, which the person changes: most limits are what keepers agree on, and no two sources agree on all of
/// them. The raw values are in requests.
package enum Preset: String, CaseIterable, Sendable {
    case community
    case goldfishAndKoi = "goldfish_koi"
    case marineFish = "marine_fish"
    case reef
    case neocaridina
    case caridina
    case discus
    case trout
    case warmPond = "warm_pond"
    case pool

    /// The limits of one parameter.
    package struct Limits: Hashable, Sendable {
        package let minimum: Steps?
        package let maximum: Steps?
        /// Whether they are a convention of keepers that was found in no source of weight.
        package let isConvention: Bool
    }

    /// The limits of a parameter; `nil` where the preset says nothing, so that what is set stays.
    package func limits(of parameter: Parameter) -> Limits? {
        facts.limits[parameter].map { limit in
            Limits(
                minimum: limit.minimum.map(parameter.steps), maximum: limit.maximum.map(parameter.steps),
                isConvention: limit.isConvention)
        }
    }

    /// The name in a list of choices.
    package func name(in language: Language) -> String { language.text("preset.\(rawValue)") }

    /// Where the limits are from, for people who want to read on.
    package var sources: [String] { facts.sources }

    struct Facts: Sendable {
        let sources: [String]
        let limits: [Parameter: Limit]
    }

    /// Limits in the canonical unit.
    struct Limit: Sendable {
        var minimum: Float?
        var maximum: Float?
        var isConvention = false

        static func range(_ minimum: Float, _ maximum: Float) -> Limit { Limit(minimum: minimum, maximum: maximum) }
        static func atLeast(_ minimum: Float) -> Limit { Limit(minimum: minimum) }
        static func atMost(_ maximum: Float) -> Limit { Limit(maximum: maximum) }
        /// No limits, in place of those of a new device: fresh water has no salt to speak of.
        static let unlimited = Limit()
        /// The least that a photometer tells from none.
        static let noChlorine = Limit.atMost(0.02).byConvention
        /// As keepers have it.
        var byConvention: Limit { Limit(minimum: minimum, maximum: maximum, isConvention: true) }
    }
}
