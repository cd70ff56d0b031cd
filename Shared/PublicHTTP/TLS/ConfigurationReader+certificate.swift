package import ServiceKit

extension ConfigurationReader {
    /// Reads the variables of a certificate and its key: both or neither.
    /// - Returns: nil if a proxy serves TLS, or nobody does; also nil after a fault, which is recorded.
    package func certificate(_ variables: CertificateVariables) -> RenewableCertificate? {
        switch (optionalString(variables.chain), optionalString(variables.key)) {
        case (nil, nil): return nil
        case (_?, nil):
            fault(variables.key, "is not set while \(variables.chain.rawValue) is")
            return nil
        case (nil, _?):
            fault(variables.chain, "is not set while \(variables.key.rawValue) is")
            return nil
        case (let chain?, let key?): return read(CertificateFiles(variables, chain: chain, key: key))
        }
    }

    private func read(_ files: CertificateFiles) -> RenewableCertificate? {
        do {
            return try files.read().map { RenewableCertificate(files, $0) }
        } catch {
            fault(error)
            return nil
        }
    }
}
