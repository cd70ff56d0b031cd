import ServiceKit
import WaterQuality

/// The address at which devices reach the Ingestor over HTTP (`AQUA_DEVICE_HTTP_URL`), if the operator serves them there.
struct DeviceOrigin: Hashable, Sendable {
    private let origin: PublicOrigin

    /// - Returns: nil if the text is no address of http or https.
    init?(_ text: String) {
        guard let origin = PublicOrigin(text) else { return nil }
        self.origin = origin
    }

    var text: String { origin.text }

    /// The URL to which a device posts its readings: its topic, appended to the address.
    func readings(of device: Device.HardwareID) -> String { "\(origin.text)/aqua/v1/\(device)/readings" }
}

extension ConfigurationReader {
    /// `AQUA_DEVICE_HTTP_URL`; nil where it is not set, or after a fault.
    func deviceOrigin() -> DeviceOrigin? { optional(.deviceHTTPURL, parse: DeviceOrigin.init) }
}
