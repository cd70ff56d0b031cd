import Instants

/// Where somebody walked while they took a sample, in segments between which nothing is known.
package struct FieldTrack: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        /// Since the sample was begun.
        package var seconds: Int32
        package var position: Position

        package init(seconds: Int32, position: Position) {
            self.seconds = seconds
            self.position = position
        }
    }

    /// Each with one point at least, ascending in time.
    package var segments: [[Point]]

    package init(_ segments: [[Point]] = []) { self.segments = segments }

    package static let mostPoints = 5_000
    package static let mostSegments = 20

    package var count: Int { segments.reduce(0) { $0 + $1.count } }

    /// Whether the points of each segment ascend, and segments follow each other.
    package var ascends: Bool {
        let times = segments.flatMap { $0.map(\.seconds) }
        return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    }

    /// The track as it is kept: of each segment the points that say something new, as of what devices say of themselves, and its end. Thinning again
    /// changes nothing.
    package var thinned: FieldTrack {
        FieldTrack(
            segments.map { segment in
                var thinning = TrackThinning()
                var kept: [Point] = []
                for point in segment {
                    let time = Timestamp(unixSeconds: Int64(point.seconds))
                    if thinning.take(point.position, at: time) != nil { kept.append(point) }
                }
                if let last = segment.last, kept.last != last { kept.append(last) }
                return kept
            })
    }
}

extension FieldTrack {
    /// The track in a few bytes a point: counts, and the differences from point to point, as numbers of variable length (seven bits a byte, the lowest
    /// first, signs folded in).
    package var bytes: [UInt8] {
        var writer = VariableLength.Writer()
        writer.append(UInt64(segments.count))
        var last = (seconds: Int64(0), latitude: Int64(0), longitude: Int64(0))
        for segment in segments {
            writer.append(UInt64(segment.count))
            for point in segment {
                let next = (
                    seconds: Int64(point.seconds), latitude: Int64(point.position.latitude),
                    longitude: Int64(point.position.longitude)
                )
                writer.append(signed: next.seconds - last.seconds)
                writer.append(signed: next.latitude - last.latitude)
                writer.append(signed: next.longitude - last.longitude)
                writer.append(point.position.accuracy.map { UInt64(max(0, $0)) + 1 } ?? 0)
                last = next
            }
        }
        return writer.bytes
    }

    /// - Returns: `nil` for bytes that are no track.
    package init?(bytes: [UInt8]) {
        var reader = VariableLength.Reader(bytes)
        guard let count = reader.next(), count <= UInt64(Self.mostSegments) else { return nil }
        var segments: [[Point]] = []
        var left = Self.mostPoints
        var last = (seconds: Int64(0), latitude: Int64(0), longitude: Int64(0))
        for _ in 0..<Int(count) {
            guard let points = reader.next(), points <= UInt64(left) else { return nil }
            left -= Int(points)
            var segment: [Point] = []
            for _ in 0..<Int(points) {
                guard let seconds = reader.nextSigned(), let north = reader.nextSigned(),
                    let east = reader.nextSigned(), let accuracy = reader.next(), accuracy <= 10_001
                else { return nil }
                last = (last.seconds &+ seconds, last.latitude &+ north, last.longitude &+ east)
                guard let time = Int32(exactly: last.seconds), (-9_000_000...9_000_000).contains(last.latitude),
                    (-18_000_000...18_000_000).contains(last.longitude)
                else { return nil }
                segment.append(
                    Point(
                        seconds: time,
                        position: Position(
                            storedLatitude: Int32(last.latitude), longitude: Int32(last.longitude),
                            accuracy: accuracy == 0 ? nil : Int16(accuracy - 1))))
            }
            segments.append(segment)
        }
        guard reader.isAtEnd else { return nil }
        self.init(segments)
    }
}

/// Whole numbers in as many bytes as they need.
private enum VariableLength {
    struct Writer {
        private(set) var bytes: [UInt8] = []

        mutating func append(_ number: UInt64) {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }

        mutating func append(signed number: Int64) {
            append(UInt64(bitPattern: number << 1) ^ UInt64(bitPattern: number >> 63))
        }
    }

    struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func next() -> UInt64? {
            var number: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 63, by: 7) {
                guard let byte = rest.popFirst() else { return nil }
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return number }
            }
            return nil
        }

        mutating func nextSigned() -> Int64? {
            next().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
        }
    }
}
