/**
 * The questions about a tank: what may be answered, in which order it is asked, and what is taken over of the limits that follow.
 */

/** @typedef {'underIce' | 'neverFreezes' | 'broughtInside'} Winter */

/**
 * What is said of a tank; null: not said.
 * @typedef {object} Answers
 * @property {string | null} kind The preset of what is kept.
 * @property {string[]} species
 * @property {number | null} litres
 * @property {boolean | null} outdoors
 * @property {Winter | null} winter
 * @property {boolean | null} plants
 * @property {boolean | null} carbonDioxide
 * @property {string[] | null} probes
 */

/**
 * @typedef {object} Species
 * @property {string} id
 * @property {string} name
 * @property {string} scientificName
 * @property {'fresh' | 'salt'} water
 */

/** @typedef {{value: number, of: 'kind' | 'species', id: string, name: string, sources: string[], convention: boolean, freeAmmonia?: FreeAmmonia | null}} Reason */

/** How a total of ammonia follows from its free part. @typedef {{most: number, ph: number, temperature: number, unit: string}} FreeAmmonia */

/**
 * @typedef {object} Proposal
 * @property {string} parameter
 * @property {string} unit
 * @property {number} decimals
 * @property {number | null} nowMinimum
 * @property {number | null} nowMaximum
 * @property {Reason | null} minimum
 * @property {Reason | null} maximum
 * @property {'same' | 'narrower' | 'wider'} difference
 * @property {boolean} preselected
 * @property {boolean} followsSeason
 * @property {boolean | null} measured
 * @property {{needs: Reason, bears: Reason} | null} clash
 */

/**
 * What follows from the answers.
 * @typedef {object} Told
 * @property {readonly Proposal[]} proposals
 * @property {string} parametersTag The version of the limits beside which they were proposed.
 * @property {readonly string[]} strangers Species that live in other water than the rest.
 */

/** A proposal as the person leaves it. @typedef {{proposal: Proposal, minimum: number | null, maximum: number | null, isChosen: boolean}} Choice */

/** @typedef {'pond' | 'tropical' | 'sea' | 'farm' | 'pool'} Group */

/** What somebody keeps: a group, none of them, or not said yet. @typedef {Group | "none" | null} Kept */

/** Presets as people look for them; one that an app does not know stands beside the groups. @type {Readonly<Record<Group, readonly string[]>>} */
export const groups = Object.freeze({
    pond: ["goldfish_koi"],
    tropical: ["community", "discus", "neocaridina", "caridina"],
    sea: ["reef", "marine_fish"],
    farm: ["trout", "warm_pond"],
    pool: ["pool"],
});

/** Volumes that are offered, in litres. */
export const volumes = Object.freeze([60, 200, 1_000, 5_000, 12_000, 50_000]);

/** @type {readonly Winter[]} */
export const winters = Object.freeze(["underIce", "neverFreezes", "broughtInside"]);

/** As the service takes them. */
export const volumeBounds = /** @type {const} */ ([0.1, 1e9]);
const litresOfGallon = 3.785412;
export const mostSpecies = 12;

/** @type {Readonly<Answers>} */
export const nothingSaid = Object.freeze({
    kind: null,
    species: [],
    litres: null,
    outdoors: null,
    winter: null,
    plants: null,
    carbonDioxide: null,
    probes: null,
});

/**
 * The group of a preset; null for none and for one that the app does not know.
 * @param {string | null} kind
 * @returns {Group | null}
 */
export function groupOf(kind) {
    const found = Object.entries(groups).find(([, kinds]) => kind !== null && kinds.includes(kind));
    return found ? /** @type {Group} */ (found[0]) : null;
}

/**
 * The answers after one: what made sense only with the former one is no longer said.
 * @param {Answers} answers
 * @param {Partial<Answers>} change
 * @returns {Answers}
 */
export function answered(answers, change) {
    const next = { ...answers, ...change };
    if (next.outdoors !== true) next.winter = null;
    if (next.plants !== true) next.carbonDioxide = null;
    return next;
}

/**
 * The species that may live in what is kept: those of its water, and those that are chosen already.
 * @param {readonly Species[]} species
 * @param {Answers} answers
 * @param {Kept} group What is kept, where that is known and none of its presets is chosen yet.
 * @param {string} [search] Letters of a name.
 */
export function speciesFor(species, { kind, species: chosen }, group, search = "") {
    const own = groupOf(kind) ?? group;
    if (own === "pool") return [];
    const water = own === "sea" ? "salt" : "fresh";
    const isOpen = kind === null && (own === null || own === "none");
    const wanted = search.trim().toLocaleLowerCase();
    return species.filter((one) =>
        chosen.includes(one.id) ||
        (isOpen || one.water === water) &&
            [one.name, one.scientificName].some((name) => name.toLocaleLowerCase().includes(wanted))
    );
}

/**
 * The species after one is chosen or no longer; as they were where there are too many.
 * @param {readonly string[]} chosen
 * @param {string} id
 */
export function toggled(chosen, id) {
    if (chosen.includes(id)) return chosen.filter((one) => one !== id);
    return chosen.length < mostSpecies ? [...chosen, id] : [...chosen];
}

/**
 * The next volume, a tenth of its size up or down.
 * @param {number} litres
 * @param {1 | -1} direction
 */
export function stepped(litres, direction) {
    const size = 10 ** Math.floor(Math.log10(direction < 0 ? litres * 0.999 : litres));
    const step = size / 10;
    return bounded((Math.round(litres / step) + direction) * step);
}

/** @param {number} litres */
export function isVolume(litres) {
    const [least, greatest] = volumeBounds;
    return litres >= least && litres <= greatest;
}

/** @param {number} litres */
export function bounded(litres) {
    const [least, greatest] = volumeBounds;
    return Number(Math.min(greatest, Math.max(least, litres)).toPrecision(6));
}

/** @param {number} litres */
export function gallonsOf(litres) {
    return litres / litresOfGallon;
}

/**
 * How many questions there are: whoever is indoors is not asked about winter.
 * @param {Answers} answers
 */
export function countOf({ outdoors }) {
    return outdoors === false ? 3 : 4;
}

/**
 * Proposals as they are taken over unless the person says otherwise.
 * @param {readonly Proposal[]} proposals
 * @returns {Choice[]}
 */
export function choicesOf(proposals) {
    return proposals.map((proposal) => ({
        proposal,
        minimum: proposal.minimum?.value ?? null,
        maximum: proposal.maximum?.value ?? null,
        isChosen: proposal.preselected,
    }));
}

/**
 * What limits are, as the person leaves them, beside those that hold.
 * @param {Choice} choice
 * @returns {Proposal["difference"]}
 */
export function differenceOf({ proposal, minimum, maximum }) {
    // Of its own limits the service knows better: numbers on a screen are rounded.
    if (minimum === (proposal.minimum?.value ?? null) && maximum === (proposal.maximum?.value ?? null)) return proposal.difference;
    const { nowMinimum, nowMaximum } = proposal;
    if (minimum === nowMinimum && maximum === nowMaximum) return "same";
    const isLower = nowMinimum !== null && (minimum === null || minimum < nowMinimum);
    const isHigher = nowMaximum !== null && (maximum === null || maximum > nowMaximum);
    return isLower || isHigher ? "wider" : "narrower";
}

/**
 * What is asked of the service for what was chosen.
 * @param {readonly Choice[]} choices
 */
export function changesOf(choices) {
    return choices.filter(({ isChosen }) => isChosen).map(({ proposal, minimum, maximum }) => ({
        parameter: proposal.parameter,
        unit: proposal.unit,
        minimum,
        maximum,
    }));
}

/**
 * Who asks for the limits, each once, and the sources of both.
 * @param {Proposal} proposal
 */
export function reasonsOf({ minimum, maximum }) {
    /** @type {Reason[]} */
    const reasons = [];
    for (const reason of [minimum, maximum]) {
        if (reason && !reasons.some(({ id, of }) => id === reason.id && of === reason.of)) reasons.push(reason);
    }
    return { reasons, isConvention: [minimum, maximum].some((reason) => reason?.convention) };
}
