import ServiceKit

extension ConfigurationReader {
    /// The map's tiles of `AQUA_MAP_TILES` and `AQUA_MAP_ATTRIBUTION`, which are set together or not at all.
    /// - Returns: nil where there is no map; and with a fault recorded.
    func mapTiles() -> MapTiles? {
        let attribution = optional(.mapAttribution, parse: MapTiles.Attribution.init)
        let isAttributed = optionalString(.mapAttribution) != nil
        guard optionalString(.mapTiles) != nil else {
            if isAttributed { fault(.mapAttribution, "is set, and AQUA_MAP_TILES is not") }
            return nil
        }
        // The template is checked also where the attribution is at fault, so that both are told at once.
        let tiles = optional(.mapTiles) { MapTiles($0, attribution: attribution ?? .standIn) }
        if !isAttributed { fault(.mapAttribution, "is not set, and AQUA_MAP_TILES is: a map names its authors") }
        return tiles
    }

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
