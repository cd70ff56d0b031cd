package import Words

extension ConfigurationReader {
    /// The look of `AQUA_BRAND_NAME` alone, for services that show no colour and need not stop for one.
    package func brandByName() -> Brand { optional(.brandName) { Brand(named: $0) } ?? .product }

    /// The look of `AQUA_BRAND_NAME` and `AQUA_BRAND_COLOUR`; the product's where they are not set, and with a fault recorded.
    package func brand() -> Brand {
        var brand = brandByName()
        guard let colour = optional(.brandColour, parse: Colour.init) else { return brand }
        do {
            brand.accents = try Accents(of: colour)
        } catch {
            fault(
                .brandColour, "is \(colour.text), which \(error.story)",
                remedy: "set it to another colour, or remove it")
        }
        return brand
    }
}
