import ServiceKit

extension ConfigurationReader {
    /// The map of the web app: tiles of another's server (`AQUA_MAP_TILES`), a file of the operator's own (`AQUA_MAP_FILE`), or none.
    /// - Returns: Both nil where there is no map; and with a fault recorded.
    func map() -> (tiles: MapTiles?, file: MapFile?) {
        let attribution = optional(.mapAttribution, parse: MapTiles.Attribution.init)
        let isAttributed = optionalString(.mapAttribution) != nil
        let hasTiles = optionalString(.mapTiles) != nil
        let hasFile = optionalString(.mapFile) != nil
        if hasTiles, hasFile { fault(.mapFile, "is set, and so is AQUA_MAP_TILES: a map comes from one of them") }
        if isAttributed, !hasTiles, !hasFile {
            fault(.mapAttribution, "is set, and neither AQUA_MAP_TILES nor AQUA_MAP_FILE is")
        }
        if hasTiles, !isAttributed {
            fault(.mapAttribution, "is not set, and AQUA_MAP_TILES is: a map names its authors")
        }
        // The template is checked also where the attribution is at fault, so that both are told at once.
        return (
            optional(.mapTiles) { MapTiles($0, attribution: attribution ?? .standIn) },
            mapFile(attribution: isAttributed ? attribution ?? .standIn : nil)
        )
    }

    private func mapFile(attribution: MapTiles.Attribution?) -> MapFile? {
        guard let path = optionalString(.mapFile) else { return nil }
        do {
            return try MapFile(path, attribution: attribution)
        } catch {
            if error == .unattributed {
                fault(.mapAttribution, "is not set, and the file of AQUA_MAP_FILE does not name its authors")
            } else {
                fault(
                    .mapFile, "names \"\(path)\", which \(error.story)",
                    remedy: "set it to \(Variable.mapFile.expectation)")
            }
            return nil
        }
    }
}
