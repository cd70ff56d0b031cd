import ServiceKit

extension ConfigurationReader {
    /// The web app of `AQUA_WEB_DIRECTORY`.
    /// - Returns: nil where only the API is served; and with a fault recorded.
    func webApp() -> WebApp? {
        guard let folder = optionalString(.webDirectory) else { return nil }
        do {
            return try WebApp(folder: folder)
        } catch {
            fault(.webDirectory, "names \"\(folder)\", which \(error.story)")
            return nil
        }
    }
}
