/// Where the numbers of the catalogue were read, each on 29 November 2026. Documents of federal authors come first; what keepers, shops and
/// their care sheets say is a convention.
extension Species.Source {
    // MARK: Authorities, universities and studies

    static let carpsAndMinnows = Self(
        title: "U.S. Geological Survey, Foreign Nonindigenous Carps and Minnows (2005), page 22",
        address: "dnrweblink.state.co.us/CWCB/0/doc/133352/Page29.aspx")
    static let nonnativeFishes = Self(
        title: "Lentsch and others 1996, Selective Control of Nonnative Fishes in the Upper Colorado River Basin",
        address: "dnrweblink.state.co.us/CWCB/0/doc/133134/Page41.aspx")
    static let neonTetra = Self(
        title: "U.S. Geological Survey, Nonindigenous Aquatic Species: neon tetra",
        address: "nas.er.usgs.gov/queries/FactSheet.aspx?speciesID=426")
    static let channelCatfish = Self(
        title: "Requirements of channel catfish, in the library of the Colorado Water Conservation Board",
        address: "dnrweblink.state.co.us/CWCB/0/doc/136195/Page6.aspx")
    static let rainbowTrout = Self(
        title: "Nevada Division of Environmental Protection 2015, after the EPA (Brungs and Jones 1977)",
        address:
            "vdocuments.site/rainbow-trout-thermal-tolerance-analyses-juvenile-and-adult-rainbow-trout-thermal.html")
    static let redearSunfish = Self(
        title: "Nevada Division of Environmental Protection 2016, Redear Sunfish Thermal Tolerance Analyses",
        address: "docslib.org/doc/13300003/draft-redear-sunfish-lepomis-microlophus-thermal-tolerance")
    static let tilapia = Self(
        title: "Southern Regional Aquaculture Center, Tilapia: Life History and Biology",
        address:
            "tilapia-farming.com/library/tilapia-life-history-and-biology/tilapia-life-history-and-biology-part-3")
    static let tilapiaInKenya = Self(
        title: "National Farmers Information Service of Kenya, Environmental Requirements",
        address: "nafis.go.ke/livestock/fish-farming/environmental-requirements")
    static let yellowPerch = Self(
        title: "North Central Regional Aquaculture Center, paper on yellow perch of 2003, as quoted there",
        address: "forums.pondboss.com/ubbthreads.php?Number=13633")
    static let prawn = Self(
        title: "After the Southern Regional Aquaculture Center, on freshwater prawns",
        address: "informedfarmers.com/controlling-high-nitrite")
    static let prawnInKerala = Self(
        title: "Kerala Agricultural University, Freshwater Prawns, Water Management",
        address: "celkau.in/Fisheries/CultureFisheries/Freshwater%20Prawns/watermengt.aspx")
    static let crawfish = Self(
        title: "Lawson and Wheaton 1982, Aquacultural Engineering 1, 311",
        address: "pdfslide.us/documents/lawson-1982-aquacultural-engineering.html")
    static let crawfishHardness = Self(
        title: "Southeastern Association of Fish and Wildlife Agencies 1969, on water hardness and red swamp crawfish",
        address:
            "seafwa.org/journal/1969/effects-soil-and-water-hardness-survival-and-growth-red-swamp-crawfish-procambarus"
    )
    static let zebrafish = Self(
        title: "Humane Endpoints, zebrafish, physical factors in the environment",
        address: "humane-endpoints.info/en/zebravis/fysische-omgevingsfactoren")
    static let corals = Self(
        title: "NOAA, National Ocean Service, on the waters of coral reefs",
        address: "oceanservice.noaa.gov/facts/coralwaters.html")

    // MARK: Keepers

    static let goldfish = Self(
        title: "Peter Sadlon, goldfish", address: "fish.petersadlon.com/water/gold_fish.html", isConvention: true)
    static let koi = Self(
        title: "Simi Koi, Karl Schoeler, water quality", address: "simikoi.com/Water-Quality-a-7.html",
        isConvention: true)
    static let livebearers = Self(
        title: "Natural World Pets, guppies, swordtails, mollies and platies",
        address: "naturalworldpets.co.uk/blogs/pet-advice/guppies-swordtails-mollies-platies", isConvention: true)
    static let corydoras = Self(
        title: "Mongabay, Corydoras", address: "fish.mongabay.com/species/Corydoras.html", isConvention: true)
    static let discus = Self(title: "Fishiology, discus", address: "fishiology.com/?p=61024", isConvention: true)
    static let neonsInTheShop = Self(
        title: "Pet Aqua, neon tetra", address: "pet-aqua.co.uk/fish-for-sale/p/neon-tetra-paracheirodon-innesi",
        isConvention: true)
    static let betta = Self(
        title: "A keeper's table of Betta splendens", address: "members.tripod.com/~Be_A_Man/betta/basics2.html",
        isConvention: true)
    static let malawi = Self(
        title: "Paradise Pet Shop, African cichlids", address: "paradisepetshop.net/en/African-Cichlids_24.html",
        isConvention: true)
    static let malawiWarmth = Self(
        title: "New Life, Lake Malawi's inhabitants",
        address: "newlifekeys.com.au/blog/the-african-cichlids-lake-malawi", isConvention: true)
    static let axolotl = Self(
        title: "Exopet Guides, axolotls, after axolotl.org",
        address: "exopetguides.com/axolotls/axolotl-ph-gh-kh-guide", isConvention: true)
    static let axolotlWarmth = Self(
        title: "Captive care of axolotls", address: "liquisearch.com/axolotl/captive_care", isConvention: true)
}
