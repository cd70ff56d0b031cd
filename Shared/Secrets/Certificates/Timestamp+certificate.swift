import COpenSSL
package import Instants

extension Timestamp {
    /// Whole seconds, which is what certificates count.
    package var wholeSecond: Timestamp { Timestamp(unixSeconds: certificateSeconds) }

    private var certificateSeconds: Int64 {
        microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0)
    }

    /// - Throws: `unreadable` for what is no time.
    init(_ time: UnsafePointer<ASN1_TIME>?) throws(CertificateError) {
        guard let epoch = ASN1_TIME_set(nil, 0) else { throw .library }
        defer { ASN1_TIME_free(epoch) }
        var (days, seconds): (CInt, CInt) = (0, 0)
        guard let time, ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            throw CertificateError(.unreadable, "has a time that is none")
        }
        self.init(unixSeconds: Int64(days) * 86_400 + Int64(seconds))
    }

    /// Lends the time in OpenSSL's form, cut to the second.
    /// - Throws: `invalid` beyond the year 9999.
    func withTime(_ body: (UnsafeMutablePointer<ASN1_TIME>) throws(CertificateError) -> Void) throws(CertificateError) {
        guard let time = ASN1_TIME_set(nil, time_t(certificateSeconds)) else {
            throw CertificateError(.invalid, "a certificate cannot name such a time")
        }
        defer { ASN1_TIME_free(time) }
        try body(time)
    }
}
