/** The public page of a project. */

import { createPublication } from "../../../components/publication/publication.js";
import { isAdministrator } from "../../../water/projects.js";

/**
 * The section, which stands while its project is shown.
 * @param {import("../../../app/context.js").Context} context
 */
export function createProjectPage(context) {
    /** @type {{id: string, section: ReturnType<typeof createPublication>} | null} */
    let made = null;
    return {
        /**
         * @param {import("../../../water/projects.js").Project} project
         * @returns {HTMLElement[]} Nothing for whoever does not act for it.
         */
        of({ id, role }) {
            if (!isAdministrator(role)) return [];
            if (made?.id !== id) {
                made?.section.remove();
                made = { id, section: createPublication(context, subjectOf(context, id)) };
            }
            return [made.section.element];
        },
        remove: () => made?.section.remove(),
    };
}

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {string} id
 * @returns {import("../../../components/publication/publication.js").Subject}
 */
function subjectOf({ store }, id) {
    const inside = () => {
        const devices = new Set(store.devices.value?.filter(({ project }) => project?.id === id).map(({ id }) => id));
        return (store.tanks.value ?? []).filter((tank) => devices.has(tank.id));
    };
    return {
        path: `/projects/${encodeURIComponent(id)}/public`,
        parameters: () => [...new Set(inside().flatMap(({ gauges }) => gauges.map(({ name }) => name)))],
        tanks: () => inside().map(({ id, name }) => ({ id, name })),
    };
}
