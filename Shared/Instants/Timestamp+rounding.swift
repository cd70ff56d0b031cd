extension Timestamp {
    /// The beginning of the hour or day (UTC) that contains this instant; other spans are counted from the Unix epoch.
    package func roundedDown(to span: Duration) -> Timestamp {
        let step = span.wholeMicroseconds
        let rest = microseconds % step
        return self - .microseconds(rest < 0 ? rest + step : rest)
    }

    package func roundedUp(to span: Duration) -> Timestamp {
        let down = roundedDown(to: span)
        return down == self ? self : down + span
    }
}
