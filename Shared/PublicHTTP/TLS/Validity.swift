package import Instants

/// From when until when a certificate is valid.
package struct Validity: Hashable, Sendable {
    package let begin: Timestamp
    package let end: Timestamp

    package enum Fault: String, Sendable {
        case notYet = "not valid yet"
        case expired
    }

    /// - Returns: nil while it is valid.
    package func fault(at now: Timestamp) -> Fault? {
        if now >= end { return .expired }
        return now < begin ? .notYet : nil
    }

    /// Whether a certificate of this validity may take the place of one in use.
    ///
    /// One that browsers refuse does not replace one that they take. This machine's clock may be wrong; then both look
    /// invalid, and the operator's files decide.
    /// - Returns: nil if it may, else why it may not.
    package func fault(inPlaceOf used: Validity, at now: Timestamp) -> Fault? {
        used.fault(at: now) == nil ? fault(at: now) : nil
    }
}
