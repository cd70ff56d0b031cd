import Crypto
import Routes
import ServiceKit

/// The logo of an installation (`AQUA_BRAND_LOGO_FILE`): a square picture that shows what it shows by itself, and nothing else.
package struct BrandLogo: Sendable {
    let type: AppMediaType
    /// The side of a PNG in pixels; of an SVG, in its own units.
    let side: Int
    let bytes: [UInt8]

    /// Home Screens draw icons of 180 and 192 pixels; more than the most helps none of them.
    static let sides = 192...1024

    /// For whoever opens the logo by itself: it loads nothing, and runs nothing.
    static let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

    /// - Parameter file: A whole file.
    package init(_ file: [UInt8]) throws(LogoFault) {
        guard file.starts(with: PNGContainer.magic) else {
            side = try PlainSVG(file).side
            type = .svg
            bytes = file
            return
        }
        let image: CleanImage
        do { image = try CleanImage(file) } catch {
            switch error {
            case .animated: throw .moving
            case .tooManyPixels: throw .large
            case .broken, .otherType: throw .broken
            }
        }
        guard image.width == image.height else { throw .shape(width: image.width, height: image.height) }
        guard Self.sides.contains(image.width) else { throw .size(image.width) }
        type = .png
        side = image.width
        bytes = image.bytes
    }

    /// Another one for other bytes, so that browsers may keep it for ever.
    var path: String { "/brand/logo-\(SHA256.hash(data: bytes).prefix(8).hexadecimal).\(type.rawValue)" }
}

/// Why a file is not taken as a logo.
package enum LogoFault: Error, Hashable, Sendable {
    case broken
    case moving
    case large
    case shape(width: Int, height: Int)
    case size(Int)
    case noSVG
    case element(String)
    case attribute(String)
    case style

    /// The end of the sentence "names a file, which ...".
    package var story: String {
        switch self {
        case .broken: "is no whole PNG"
        case .moving: "moves, and a logo stands still"
        case .large:
            "has a side of more than \(CleanImage.longestSide) pixels, and a logo has at most \(BrandLogo.sides.upperBound)"
        case .shape(let width, let height): "is \(width) wide and \(height) high, and a logo is square"
        case .size(let side):
            "has sides of \(side) pixels, and a logo has \(BrandLogo.sides.lowerBound) to \(BrandLogo.sides.upperBound)"
        case .noSVG: "is neither PNG nor plain SVG with a size of its own"
        case .element(let name): "has <\(name)>, and a logo has shapes, gradients and text alone"
        case .attribute(let name): "has an attribute \(name), which could run something or load something"
        case .style: "has a style that names a rule with @, an escape, or something to load"
        }
    }
}

extension ConfigurationReader {
    /// The logo of `AQUA_BRAND_LOGO_FILE`.
    /// - Returns: nil where there is none; and with a fault recorded.
    func brandLogo() -> BrandLogo? {
        guard let path = optionalString(.brandLogoFile) else { return nil }
        let file = NamedFile(.brandLogoFile, path: path, isSecret: false)
        let bytes: [UInt8]
        do { bytes = try file.read() } catch {
            fault(error)
            return nil
        }
        do { return try BrandLogo(bytes) } catch {
            fault(file.fault(error.story, remedy: "set it to \(Variable.brandLogoFile.expectation)"))
            return nil
        }
    }
}
