import Instants
package import ServiceKit

extension MetricsRegistry {
    /// Observes the validity of the certificate that the public is shown. Without one the end is infinite.
    package func observe(_ certificate: RenewableCertificate?) {
        observed(
            .gauge, "aqua_certificate_begin_timestamp_seconds",
            "When the certificate became valid that callers are shown, in Unix time; 0 without one."
        ) { certificate?.current.validity.begin.unixSeconds ?? 0 }
        observed(
            .gauge, "aqua_certificate_end_timestamp_seconds",
            "When the certificate expires that callers are shown, in Unix time; infinite without one."
        ) { certificate?.current.validity.end.unixSeconds ?? .infinity }
        observed(
            .gauge, "aqua_certificate_renewal_failing",
            "Whether (1) the files hold another certificate than the one in use, which cannot be used."
        ) { certificate?.isFailing == true ? 1 : 0 }
    }
}
