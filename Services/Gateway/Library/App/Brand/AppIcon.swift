import CZlib
import Words

/// An icon of the app with the product's mark, drawn in an accent: phones show no SVG on their Home Screens. Its shapes are those of
/// `icons/icon.svg`, in units of 64 a side.
struct AppIcon {
    let path: String
    /// In pixels.
    let side: Int
    /// Phones cut corners off by themselves, where the file does not.
    let hasCorners: Bool
    /// The size of the mark: what phones may cut off stays without it.
    let scale: Double

    static let all = [
        AppIcon(path: "/icons/apple-touch-180.png", side: 180, hasCorners: true, scale: 1),
        AppIcon(path: "/icons/icon-192.png", side: 192, hasCorners: false, scale: 1),
        AppIcon(path: "/icons/icon-512.png", side: 512, hasCorners: false, scale: 1),
        AppIcon(path: "/icons/maskable-512.png", side: 512, hasCorners: true, scale: 0.85),
    ]

    /// - Returns: A PNG.
    func drawn(in ground: Colour) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(side * (side * 4 + 1))
        let pixel = 64 / Double(side)
        for row in 0..<side {
            pixels.append(0)
            for column in 0..<side {
                let place = SIMD2(Double(column) + 0.5, Double(row) + 0.5) * pixel - 32
                let mark = Self.cover(Self.distanceFromMark(place / scale) * scale / pixel)
                for channel in ground.bytes {
                    let mixed = Double(channel) + (255 - Double(channel)) * mark
                    pixels.append(UInt8(mixed.rounded()))
                }
                let corner = hasCorners ? 1 : Self.cover(Self.distanceFromGround(place) / pixel)
                pixels.append(UInt8((255 * corner).rounded()))
            }
        }
        return PNGContainer.written(pixels, side: side)
    }

    /// The part of a pixel that is inside, by the distance of the pixel's middle from the edge, in pixels.
    private static func cover(_ distance: Double) -> Double { min(max(0.5 - distance, 0), 1) }

    /// The distance from the edge of ring or bead; negative inside.
    private static func distanceFromMark(_ place: SIMD2<Double>) -> Double {
        let radius = (place * place).sum().squareRoot()
        // Open below, between the two ends at an eighth of a turn.
        let end = 16 * 0.5.squareRoot()
        let off = SIMD2(place.x.magnitude - end, place.y - end)
        let fromRing = place.y > place.x.magnitude ? (off * off).sum().squareRoot() : (radius - 16).magnitude
        return min(fromRing - 2.5, radius - 6)
    }

    /// The distance from the edge of a square with round corners; negative inside.
    private static func distanceFromGround(_ place: SIMD2<Double>) -> Double {
        let corner = 15.0
        let off = SIMD2(place.x.magnitude, place.y.magnitude) - (32 - corner)
        let outside = SIMD2(max(off.x, 0), max(off.y, 0))
        return (outside * outside).sum().squareRoot() + min(max(off.x, off.y), 0) - corner
    }
}

extension PNGContainer {
    /// A square picture of eight bits a channel.
    /// - Parameter rows: For each row a filter's number and then red, green, blue and opacity of each pixel.
    fileprivate static func written(_ rows: [UInt8], side: Int) -> [UInt8] {
        let size = bigEndian(UInt32(side))
        var length = compressBound(UInt(rows.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        let code = compress2(&packed, &length, rows, UInt(rows.count), 6)
        precondition(code == Z_OK, "zlib gets its memory, or the process is lost anyway")
        return magic + chunk("IHDR", size + size + [8, 6, 0, 0, 0]) + chunk("IDAT", packed[..<Int(length)])
            + chunk("IEND", [])
    }
}
