extension Preset {
    // Alkalinity and hardness are in ppm of CaCO3, of which a German degree is 17.848; ammonia is the total that probes
    // and kits measure. Where sources say that there should be none, the limit is what keepers act on: 0.25 ppm.
    var facts: Facts {
        switch self {
        case .community:
            Facts(
                sources: ["petfishdoc.com/water-chemistry.pml", "studyres.com/doc/17026375"],
                limits: [
                    .temperature: .range(24, 27), .ph: .range(6.5, 7.8).byConvention,
                    .ammonia: .atMost(0.25).byConvention, .nitrite: .atMost(0.25).byConvention,
                    .nitrate: .atMost(40).byConvention,
                    // 3 to 10 and 4 to 15 degrees
                    .alkalinity: .range(54, 178).byConvention, .hardness: .range(71, 268).byConvention,
                    .dissolvedOxygen: .atLeast(5), .salinity: .unlimited,
                    .freeChlorine: .noChlorine, .totalChlorine: .noChlorine,
                ])
        case .goldfishAndKoi:
            Facts(
                sources: [
                    "migoto-koi.co.uk/page10.htm", "simikoi.com", "kjasons.com", "koisale.com",
                    "koinet.net/j/index.php/articles/aquaculture/17-chlorine-and-chloramine",
                ],
                limits: [
                    // What they live in: a pond of 8 degrees in winter is no alarm.
                    .temperature: .range(2, 29), .ph: .range(7, 8.5), .ammonia: .atMost(0.2),
                    .nitrite: .atMost(0.2), .nitrate: .atMost(50),
                    // at least 4 degrees
                    .alkalinity: .atLeast(71), .hardness: .unlimited, .dissolvedOxygen: .atLeast(5),
                    .salinity: .unlimited,
                    // 0.3 ppm kills soon, and 0.003 ppm in the long run, which no kit measures.
                    .freeChlorine: .noChlorine, .totalChlorine: .noChlorine, .copper: .atMost(0.05).byConvention,
                ])
        case .marineFish:
            Facts(
                sources: ["marinedesignsatlanta.com", "boodleshireaquatics.com"],
                limits: [
                    .temperature: .range(24, 28), .ph: .range(8, 8.6), .ammonia: .atMost(0.25).byConvention,
                    .nitrite: .atMost(0.25).byConvention, .nitrate: .atMost(40).byConvention,
                    // 7 to 12 degrees
                    .alkalinity: .range(125, 214).byConvention,
                    // Of sea water it is more than 6,000 ppm, which no such probe measures.
                    .hardness: .unlimited, .dissolvedOxygen: .atLeast(6).byConvention, .salinity: .range(28, 35),
                ])
        case .reef:
            Facts(
                sources: ["reefsolutionsnv.com", "boodleshireaquatics.com", "reefnotes.com/en/parameters/cu"],
                limits: [
                    .temperature: .range(24, 27), .ph: .range(7.8, 8.4), .ammonia: .atMost(0.1),
                    .nitrite: .atMost(0.2), .nitrate: .atMost(10).byConvention,
                    // 7 to 11 degrees
                    .alkalinity: .range(125, 196), .hardness: .unlimited,
                    .dissolvedOxygen: .atLeast(6).byConvention, .salinity: .range(34, 36),
                    .calcium: .range(380, 450), .magnesium: .range(1250, 1350),
                    // Of the sea it is 400 ppm.
                    .potassium: .range(380, 420).byConvention,
                    // The sources say less than 0.03 ppm; corals that are fed take more, and starve without any.
                    .phosphate: .range(0.02, 0.1).byConvention, .silicate: .atMost(2), .copper: .atMost(0.02),
                    .freeChlorine: .noChlorine, .totalChlorine: .noChlorine,
                ])
        case .neocaridina:
            Facts(
                sources: [
                    "shrimplyexplained.com", "shrimpkeepers.com", "aushrimphome.com", "reefnotes.com/en/parameters/cu",
                ],
                limits: [
                    // What they live in: they are often kept without a heater.
                    .temperature: .range(18, 29), .ph: .range(6.5, 8), .ammonia: .atMost(0.25).byConvention,
                    .nitrite: .atMost(0.25).byConvention, .nitrate: .atMost(20),
                    // 1 to 8 and 4 to 12 degrees
                    .alkalinity: .range(18, 143), .hardness: .range(71, 214), .dissolvedOxygen: .atLeast(6),
                    .salinity: .unlimited, .copper: .atMost(0.02),
                    .freeChlorine: .noChlorine, .totalChlorine: .noChlorine,
                ])
        case .caridina:
            Facts(
                sources: [
                    "shrimplyexplained.com", "shrimpkeepers.com", "rareshrimp.com", "reefnotes.com/en/parameters/cu",
                ],
                limits: [
                    .temperature: .range(20, 24), .ph: .range(6, 6.8), .ammonia: .atMost(0.25).byConvention,
                    .nitrite: .atMost(0.25).byConvention, .nitrate: .atMost(10),
                    // at most 2, and 4 to 6 degrees
                    .alkalinity: .atMost(36), .hardness: .range(71, 107), .dissolvedOxygen: .atLeast(6),
                    .salinity: .unlimited, .copper: .atMost(0.02),
                    .freeChlorine: .noChlorine, .totalChlorine: .noChlorine,
                ])
        case .discus:
            Facts(
                sources: ["nextaaqua.com/blog/water-condition-of-discus-aquarium", "fishiology.com"],
                limits: [
                    .temperature: .range(28, 30).byConvention, .ph: .range(6, 7).byConvention,
                    .ammonia: .atMost(0.25).byConvention, .nitrite: .atMost(0.25).byConvention,
                    .nitrate: .atMost(20).byConvention,
                    // 1 to 4 and 1 to 5 degrees
                    .alkalinity: .range(18, 71).byConvention, .hardness: .range(18, 89).byConvention,
                    .dissolvedOxygen: .atLeast(5).byConvention, .salinity: .unlimited,
                ])
        case .trout:
            Facts(
                sources: ["FAO Technical Paper 589, table 3.1", "Soil Association and Debio, in aquacircle.org"],
                limits: [
                    // 0.02 ppm of free ammonia, at pH 8 and 15 °C.
                    .temperature: .range(10, 18), .ph: .range(6, 8.5), .ammonia: .atMost(0.75).byConvention,
                    // Up to 400 ppm of nitrate do no harm, which is more than the probe measures.
                    .nitrite: .atMost(0.1), .nitrate: .unlimited, .alkalinity: .atLeast(50).byConvention,
                    .hardness: .unlimited, .dissolvedOxygen: .atLeast(6), .salinity: .unlimited,
                ])
        case .warmPond:
            Facts(
                sources: ["FAO Technical Paper 589, table 3.1", "ask2.extension.org 162665"],
                limits: [
                    // 0.05 ppm of free ammonia, at pH 8 and 28 °C. They bear 1 ppm of nitrite, which is more than the
                    // probe measures: the limit is a little below the end of its scale, so that the alarm can come.
                    .temperature: .range(22, 32), .ph: .range(6, 8.5), .ammonia: .atMost(0.75),
                    .nitrite: .atMost(0.75).byConvention, .nitrate: .unlimited,
                    .alkalinity: .atLeast(50).byConvention, .hardness: .unlimited, .dissolvedOxygen: .atLeast(4),
                    .salinity: .unlimited,
                ])
        case .pool:
            Facts(
                sources: [
                    "CDC Model Aquatic Health Code 5.7.3", "rules.mt.gov 37.115.1308",
                    "njpoolbuilder.com/faq-items/waterchemistry",
                ],
                limits: [
                    // How warm it is, is a matter of taste, and nothing lives in it.
                    .temperature: .unlimited, .ph: .range(7.2, 7.8), .ammonia: .unlimited, .nitrite: .unlimited,
                    .nitrate: .unlimited, .alkalinity: .range(60, 220), .hardness: .unlimited,
                    .dissolvedOxygen: .unlimited, .salinity: .unlimited, .orp: .atLeast(650),
                    // At least 1 ppm, and 2 ppm beside cyanuric acid; up to 10 ppm is allowed, and 3 to 5 ppm is best.
                    .freeChlorine: .range(1, 5).byConvention, .cyanuricAcid: .range(30, 50).byConvention,
                    // 200 to 400 ppm as CaCO3
                    .calcium: .range(80, 160),
                ])
        }
    }
}
