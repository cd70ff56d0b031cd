package import Instants

extension Hearing {
    /// The detector of kind silence: the meaning of a look at a device for a person. Pure and total. Each time is the database's.
    ///
    /// - Parameters:
    ///   - heardAt: The receipt of its last reading, if that is known.
    ///   - open: The open silence.
    ///   - theirsFrom: Since when the device's readings are the person's; `nil` for always.
    package func finding(
        heardAt: Timestamp?, open: Episode?, theirsFrom: Timestamp? = nil, now: Timestamp
    ) -> Finding {
        // A time of ours from when the clock was ahead says nothing: neither an end, nor that the trouble lies ahead.
        let latest = now + EventTime.furthestAhead
        if let open, let heardAt, heardAt <= latest,
            heardAt > open.openedAt || (open.openedAt > latest && self == .heard)
        {
            // Heard again; perhaps silent again since, which the next look finds.
            return .over(at: heardAt)
        }
        guard self == .silent, let heardAt = (heardAt ?? open?.openedAt).map({ min($0, now) }) else { return .nothing }
        // The last reading belongs to somebody else: this person has never heard the device.
        if open == nil, let theirsFrom, heardAt < theirsFrom { return .nothing }
        return .holds(Finding.Evidence(.silence, since: open?.openedAt ?? heardAt, at: now, latest: now))
    }
}
