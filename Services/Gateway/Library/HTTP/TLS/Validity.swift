import Instants

/// From when until when a certificate is valid.
struct Validity: Hashable, Sendable {
    let begin: Timestamp
    let end: Timestamp

    enum Fault: String, Sendable {
        case notYet = "not valid yet"
        case expired
    }

    /// - Returns: nil while it is valid.
    func fault(at now: Timestamp) -> Fault? {
        if now >= end { return .expired }
        return now < begin ? .notYet : nil
    }

    /// Whether a certificate of this validity may take the place of one in use.
    ///
    /// One that browsers refuse does not replace one that they take. This machine's clock may be wrong; then both look
    /// invalid, and the operator's files decide.
    /// - Returns: nil if it may, else why it may not.
    func fault(inPlaceOf used: Validity, at now: Timestamp) -> Fault? {
        used.fault(at: now) == nil ? fault(at: now) : nil
    }
}
