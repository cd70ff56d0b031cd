package import Instants

/// The period for which a certificate is valid.
package struct Validity: Hashable, Sendable {
    package let begin: Timestamp
    package let end: Timestamp

    package enum Fault: String, Sendable {
        case notYet = "not valid yet"
        case expired
    }

    /// - Returns: nil while the certificate is valid.
    package func fault(at now: Timestamp) -> Fault? {
        if now >= end { return .expired }
        return now < begin ? .notYet : nil
    }

    /// Whether a certificate of this validity may replace the one in use.
    ///
    /// A certificate that browsers refuse does not replace one that they accept. If this machine's clock is wrong, both
    /// look invalid, and the operator's files decide.
    /// - Returns: nil if it may, otherwise why not.
    package func fault(inPlaceOf used: Validity, at now: Timestamp) -> Fault? {
        used.fault(at: now) == nil ? fault(at: now) : nil
    }
}
