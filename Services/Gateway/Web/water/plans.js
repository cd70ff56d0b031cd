/** Plans of sites: which of them somebody sees, and where tanks stand on one. Decided here without words. */

import { isAdministrator } from "./projects.js";

/**
 * @typedef {object} Plan
 * @property {string} id
 * @property {string | null} project Whose tanks stand on it; null: the person's own.
 * @property {string} name
 * @property {boolean} mayChange
 * @property {{type: string, width: number, height: number, tag: string} | null} picture null: a blank grid.
 * @property {number} version
 */

/** @typedef {{device: string, x: number, y: number}} Place In thousandths of the plan's width and height, from the upper left corner. */
/** @typedef {Plan & {places: readonly Place[]}} PlacedPlan */

/** So many a person has, and a project. */
export const mostPlans = 10;
const most = 1_000;
/** The proportions of a blank grid. */
const blank = 4 / 3;

/**
 * The plans of a group of tanks.
 * @param {readonly Plan[]} plans
 * @param {string | null} group The id of a project, empty for the person's own; null: all.
 * @param {string | null} acting The project that the window acts for, whose tanks alone it shows.
 */
export const plansOf = (plans, group, acting) =>
    plans.filter(({ project }) => acting !== null ? project === acting : group === null || (project ?? "") === group);

/**
 * For whom somebody may begin a plan, by the tanks that they see.
 * @param {readonly import("./tanks.js").Device[]} devices
 * @param {{id: string, name: string} | null} acting
 * @returns {{project: string | null, name: string | null}[]} Without a name: for themselves.
 */
export function mayPlanFor(devices, acting) {
    if (acting !== null) return [{ project: acting.id, name: acting.name }];
    const projects = new Map(devices.flatMap(({ project }) => project && isAdministrator(project.role) ? [[project.id, project.name]] : []));
    const own = devices.some(({ role, project }) => role === "owner" && !project) ? [{ project: null, name: null }] : [];
    return [...own, ...[...projects].map(([project, name]) => ({ project, name }))];
}

/**
 * The devices that may stand on a plan.
 * @template {import("./tanks.js").Device} T
 * @param {readonly T[]} devices
 * @param {Pick<Plan, 'project'>} plan
 * @param {string | null} acting
 * @returns {T[]}
 */
export const mayStandOn = (devices, plan, acting) =>
    devices.filter(({ role, project }) => acting !== null || (plan.project === null ? role === "owner" && !project : project?.id === plan.project));

/** @param {Pick<Plan, 'picture'>} plan Its width over its height. */
export const ratioOf = ({ picture }) => picture ? picture.width / picture.height : blank;

/**
 * The places with a tank in another one, or in its first.
 * @param {readonly Place[]} places
 * @param {string} device
 * @param {{x: number, y: number}} at In thousandths; what lies outside comes to the edge.
 * @returns {Place[]}
 */
export const put = (places, device, { x, y }) => [...takenOff(places, device), { device, x: within(x), y: within(y) }];

/**
 * @param {readonly Place[]} places
 * @param {string} device
 */
export const takenOff = (places, device) => places.filter((place) => place.device !== device);

/** @param {number} value */
const within = (value) => Math.min(most, Math.max(0, Math.round(value)));

/**
 * Whether tanks stand in the same places.
 * @param {readonly Place[]} one
 * @param {readonly Place[]} other
 */
export function isArrangedAs(one, other) {
    const had = new Map(one.map(({ device, x, y }) => [device, `${x} ${y}`]));
    return one.length === other.length && other.every(({ device, x, y }) => had.get(device) === `${x} ${y}`);
}
