import Routes

/// OGC API Features for maps and geographical information systems: Part 1, Core (17-069r4), in GeoJSON and HTML, and of Part 2 (18-058r1) that coordinates
/// are longitude and latitude by WGS 84. There are two kinds of roots: `/ogc/v1`, of what the caller may see, and `/ogc/v1/public/{page}` of what a public
/// page shows.
enum OGCFeatures {
    static let base = "/ogc/v1"

    static let conformance = [
        "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
        "http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs",
    ]

    static let tag = "Features"

    static let api = API<Caller>(
        title: "AquaMonitor", text: "Places, devices and what was measured, for maps.", version: "1.0.0", base: base,
        tags: [.init(tag, "Collections of features, and what describes them.")],
        routes: FeatureRoutes.own.all + FeatureRoutes.pages.all)
}
