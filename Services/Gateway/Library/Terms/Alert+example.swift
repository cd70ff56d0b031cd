import WaterQuality

extension Alert {
    /// The id of the alert in examples.
    static let exampleID = "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e"
}
