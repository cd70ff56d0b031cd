/// The accent of the app in its two schemes: of links, of what is chosen, and of the ground of buttons, with text on it.
package struct Accents: Hashable, Sendable {
    package let light: Colour
    package let dark: Colour

    package static let product = Accents(light: "#005d6f", dark: "#7ed4e1")

    private init(light: StaticString, dark: StaticString) {
        self.light = Colour(light)
        self.dark = Colour(dark)
    }

    /// Accents of a colour: in each scheme the nearest lightness of it at which text in it, and text on it, stands out from its ground.
    /// - Throws: `AccentFault` for a colour that cannot be brought there and stay itself, or that would look like an alarm.
    package init(of colour: Colour) throws(AccentFault) {
        light = try Self.accent(of: colour, in: .light)
        dark = try Self.accent(of: colour, in: .dark)
    }

    /// The least contrast of text (WCAG 2.2, 1.4.3).
    package static let leastContrast = 4.5
    /// The least distance from the colours of alarms and of probes in trouble.
    package static let leastDistance = 0.06
    /// The most by which the lightness may change: further, a colour is another one.
    private static let mostChange = 0.55
    /// Smaller steps are not seen.
    private static let step = 0.005

    private static func accent(of colour: Colour, in scheme: Scheme) throws(AccentFault) -> Colour {
        let direction = scheme == .light ? -step : step
        var best = 1.0
        for count in 0...Int(mostChange / step) {
            let accent = colour.lighter(by: Double(count) * direction)
            let contrast = scheme.contrast(of: accent)
            best = max(best, contrast)
            guard contrast >= leastContrast else { continue }
            if let (state, distance) = scheme.nearestState(to: accent), distance < leastDistance {
                throw .likeState(state, scheme, distance: distance)
            }
            return accent
        }
        throw .faint(scheme, contrast: best)
    }
}

/// Why a colour is no accent.
package enum AccentFault: Error, Hashable, Sendable {
    case faint(Accents.Scheme, contrast: Double)
    case likeState(Accents.Scheme.State, Accents.Scheme, distance: Double)
    /// The end of the sentence "the colour is ..., which ...".
    package var story: String {
        switch self {
        case .faint(let scheme, let contrast):
            "reaches a contrast of \(Self.text(contrast, 1)) : 1 in the \(scheme) scheme while it is still that colour; text needs 4.5 : 1"
        case .likeState(let state, let scheme, let distance):
            "looks like the colour of \(state.rawValue) in the \(scheme) scheme: its distance from that is \(Self.text(distance, 2)), and has to be 0.06"
        }
    }

    private static func text(_ number: Double, _ decimals: Int) -> String {
        let scale = decimals == 1 ? 10 : 100
        let count = Int(number * Double(scale))
        let fraction = "\(count % scale)"
        return "\(count / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}

extension Accents {
    /// The colours of a scheme that an accent meets, as the app's tokens have them.
    package enum Scheme: Sendable, CaseIterable {
        case light, dark

        /// The meaning of states' colours, which no accent may have.
        package enum State: String, Sendable, CaseIterable {
            case alarms
            case trouble = "probes in trouble"
        }

        /// Grounds on which links and chosen things stand: air, under, water, deep, surface, sunk and raised.
        package var grounds: [Colour] {
            switch self {
            case .light: ["#f7fbfc", "#d2e4e8", "#e4eff1", "#d6e6ea", "#ffffff", "#e3f0f2"].map(Colour.init)
            case .dark: ["#111b1f", "#0c242b", "#051317", "#020c11", "#122126", "#1e3036", "#344950"].map(Colour.init)
            }
        }

        /// The colour of text on the accent.
        package var onAccent: Colour { self == .light ? Colour("#ffffff") : Colour("#051920") }

        package func colour(of state: State) -> Colour {
            switch (state, self) {
            case (.alarms, .light): Colour("#b82b19")
            case (.alarms, .dark): Colour("#fe7456")
            case (.trouble, .light): Colour("#8a560c")
            case (.trouble, .dark): Colour("#ebbc69")
            }
        }

        /// The least contrast of all that an accent meets.
        package func contrast(of accent: Colour) -> Double {
            (grounds + [onAccent]).map(accent.contrast).min() ?? 1
        }

        fileprivate func nearestState(to accent: Colour) -> (state: State, distance: Double)? {
            State.allCases.map { ($0, accent.distance(from: colour(of: $0))) }.min { $0.1 < $1.1 }
        }
    }
}

extension Colour {
    /// A colour of the source.
    fileprivate init(_ text: StaticString) {
        guard let colour = Colour("\(text)") else { preconditionFailure("\(text) is a colour") }
        self = colour
    }
}
