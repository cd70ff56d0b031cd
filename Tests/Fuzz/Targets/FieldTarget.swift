import WaterQuality

extension FuzzTarget {
    /// Tracks of samples as they are stored.
    static let field = FuzzTarget(
        "field",
        bytes: [
            FieldTrack().bytes,
            FieldTrack([
                [0, 60, 3_600].map { seconds in
                    FieldTrack.Point(
                        seconds: seconds,
                        position: Position(
                            storedLatitude: 5_250_000 + seconds, longitude: -1_340_000 - seconds,
                            accuracy: seconds == 60 ? 5 : nil))
                }, [FieldTrack.Point(seconds: 7_200, position: Position(storedLatitude: 0, longitude: 1, accuracy: 0))],
            ]).bytes,
        ], words: ["\u{0}", "\u{1}", "\u{7F}"]
    ) { bytes in
        guard let track = FieldTrack(bytes: bytes) else { return }
        try promise(track.segments.count <= FieldTrack.mostSegments, "\(track.segments.count) segments")
        try promise(track.count <= FieldTrack.mostPoints, "\(track.count) points")
        try promise(FieldTrack(bytes: track.bytes) == track, "another track comes back")
        let thinned = track.thinned
        try promise(thinned.count <= track.count && thinned.thinned == thinned, "thinning again changes the track")
    }
}
