import ServiceKit

extension ConfigurationReader {
    /// The web app of `AQUA_WEB_DIRECTORY`.
    /// - Parameter tiles: What the app may load from elsewhere.
    /// - Returns: nil where only the API is served; and with a fault recorded.
    func webApp(tiles: MapTiles?, look: AppLook) -> WebApp? {
        guard let folder = optionalString(.webDirectory) else { return nil }
        do {
            return try WebApp(folder: folder, tiles: tiles, look: look)
        } catch {
            fault(.webDirectory, "names \"\(folder)\", which \(error.story)")
            return nil
        }
    }
}
