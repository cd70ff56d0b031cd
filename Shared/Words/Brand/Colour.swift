import Glibc

/// A colour as screens show it (sRGB, IEC 61966-2-1), eight bits a channel.
package struct Colour: Hashable, Sendable {
    private let channels: SIMD3<UInt8>

    /// - Parameter text: `#rrggbb`.
    package init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        channels = [UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }

    /// Red, green and blue.
    package var bytes: [UInt8] { (0..<3).map { channels[$0] } }

    /// `#rrggbb`, in lower case.
    package var text: String {
        let digits = Array("0123456789abcdef")
        return "#"
            + String((0..<3).flatMap { [digits[Int(channels[$0] >> 4)], digits[Int(channels[$0] & 15)]] })
    }

    /// The ratio in which text of one colour stands out from a ground of the other: 1 to 21 (WCAG 2.2, "contrast ratio").
    package func contrast(with other: Colour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The distance of two colours as people see it: 0 for the same, 1 from black to white (in OKLab).
    package func distance(from other: Colour) -> Double {
        let difference = perceived.place - other.perceived.place
        return (difference * difference).sum().squareRoot()
    }

    private var luminance: Double { (light * SIMD3(0.2126, 0.7152, 0.0722)).sum() }

    /// The light of each channel, from 0 to 1.
    private var light: SIMD3<Double> {
        var light = SIMD3<Double>()
        for channel in 0..<3 {
            let value = Double(channels[channel]) / 255
            light[channel] = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return light
    }

    private init(light: SIMD3<Double>) {
        var channels = SIMD3<UInt8>()
        for channel in 0..<3 {
            let amount = min(max(light[channel], 0), 1)
            let value = amount <= 0.0031308 ? 12.92 * amount : 1.055 * pow(amount, 1 / 2.4) - 0.055
            channels[channel] = UInt8((value * 255).rounded())
        }
        self.channels = channels
    }
}

// MARK: As eyes have it

extension Colour {
    /// A colour by how eyes have it, in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020): lightness from 0 to 1,
    /// and two axes from green to red and from blue to yellow.
    private struct Perceived {
        var place: SIMD3<Double>

        var light: SIMD3<Double> {
            let (lightness, a, b) = (place.x, place.y, place.z)
            let long = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
            let middle = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
            let short = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
            return [
                4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
                -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
                -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
            ]
        }

        /// Whether screens can show it.
        var isShown: Bool { (0..<3).allSatisfy { (-0.0001...1.0001).contains(light[$0]) } }

        private func cube(_ number: Double) -> Double { number * number * number }
    }

    private var perceived: Perceived {
        let light = light
        let long = cbrt((light * SIMD3(0.4122214708, 0.5363325363, 0.0514459929)).sum())
        let middle = cbrt((light * SIMD3(0.2119034982, 0.6806995451, 0.1073969566)).sum())
        let short = cbrt((light * SIMD3(0.0883024619, 0.2817188376, 0.6299787005)).sum())
        return Perceived(place: [
            0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
            1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
            0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
        ])
    }

    /// The same hue, lighter or darker; as strong as before, or as screens can show it there.
    /// - Parameter change: The change of the lightness, which goes from 0 to 1.
    package func lighter(by change: Double) -> Colour {
        var place = perceived.place
        place.x = min(max(place.x + change, 0), 1)
        func at(_ strength: Double) -> Perceived {
            Perceived(place: [place.x, place.y * strength, place.z * strength])
        }
        var (shown, tooStrong) = (0.0, 1.0)
        if at(1).isShown { return Colour(light: at(1).light) }
        // Each step halves what is not known: twenty leave less than a screen can show.
        for _ in 0..<20 {
            let middle = (shown + tooStrong) / 2
            if at(middle).isShown { shown = middle } else { tooStrong = middle }
        }
        return Colour(light: at(shown).light)
    }
}
