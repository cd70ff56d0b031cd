/** One test to all ways, followed while it is on its way: what arrived, what a server took, and what was refused. */

import * as push from "../../../app/push.js";
import { createButton } from "../../../components/button/button.js";
import { createEmpty, createProblem, createSubPage } from "../../../components/page/page.js";
import { setShape } from "../../../components/shape/shape.js";
import { h, set, setText } from "../../../page/dom.js";
import { createKeyed } from "../../../page/keyed.js";
import { isTaken, linesOf } from "../../../water/test-alert.js";
import { confirms } from "../../../water/ways.js";
import { partsOf } from "../../../words/endpoint-name.js";
import { isProblem } from "../../../words/problem.js";
import { followTest, sendTest } from "../following.js";

/** @typedef {import("../endpoints.js").Endpoint} Endpoint */
/** @typedef {import("../../../water/test-alert.js").Line} Line */
/** @typedef {{key: string, time: string, shape: import("../../../components/shape/shape.js").ShapeName, name: string, what: string}} Model */

const list = "/settings/notifications";

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { alert }) {
    const { t, api, format } = context;
    context.title(t("ways.tests"));
    const page = createSubPage(context, { title: t("ways.tests"), subtitle: t("ways.tests_wait"), back: list });
    const lines = h("ol", { class: "told told-marked surface", hidden: true });
    const update = createKeyed(lines, (/** @type {Model} */ { key }) => key, createLine);
    const note = h("p", { class: "rows-note" }, t("ways.tests_note"));
    const status = h("p", { class: "visually-hidden", role: "status" });
    const problem = createProblem({ text: t("common.retry"), press: () => void follow() });
    const again = createButton({ text: t("ways.tests_again"), press: repeat });
    page.body.append(lines, note, problem.element, h("div", { class: "test-again" }, again.element), status);
    root.replaceChildren(...page.parts);
    /** @type {readonly Endpoint[]} */
    let endpoints = [];
    /** The endpoint of this device, once it is known. @type {number | null} */
    let here = null;
    /** @type {import("../../../water/test-alert.js").TestAlert | null} */
    let told = null;
    let hasEnded = false;

    function show() {
        if (!told) return;
        const all = linesOf(told);
        setText(page.heading, t("ways.test_all", { count: all.length }));
        set(lines, "hidden", all.length === 0);
        update(all.map(modelOf));
        const isNobodys = all.length === 0 && told.state !== "decided";
        page.setSubtitle(isNobodys ? t("ways.tests_none") : all.length === 0 ? t("ways.tests_wait") : sumOf(all));
    }

    /** @param {readonly Line[]} all */
    const sumOf = (all) => t("ways.tests_sum", { count: all.filter(isTaken).length, all: all.length });

    /**
     * @param {Line} line
     * @returns {Model}
     */
    function modelOf(line) {
        const endpoint = endpoints.find(({ id }) => id === line.endpoint);
        return {
            key: String(line.endpoint),
            time: line.after === null ? "–" : t("time.second", { count: format.number(line.after / 1000, 1) }),
            shape: isTaken(line) ? "fine" : line.outcome === "refused" || line.outcome === "silent" ? "fault" : "snoozed",
            name: endpoint ? partsOf(context, endpoint, endpoint.id === here).name : line.host ?? t("alerts.place_gone"),
            what: t(`ways.line_${line.outcome}`, { status: line.status ?? "" }),
        };
    }

    async function follow() {
        problem.show("");
        try {
            endpoints = (await api.get("/endpoints")).data.items;
            const browsers = new Set(endpoints.filter(({ channel }) => confirms(channel)).map(({ id }) => id));
            await followTest(api, alert, {
                tell(next) {
                    told = next;
                    show();
                },
                hasEnded: () => hasEnded,
                browsers,
            });
            if (told && !hasEnded) setText(status, sumOf(linesOf(told)));
        } catch (error) {
            if (hasEnded) return;
            if (!isProblem(error) || error.status !== 404) return problem.show(context.explain(error, "read"));
            page.setSubtitle("");
            page.body.replaceChildren(createEmpty(t("ways.tests_unknown"), { text: t("ways.all"), href: list }));
        }
    }

    async function repeat() {
        problem.show("");
        try {
            await context.navigate(`${list}/tests/${await sendTest(api)}`, { replace: true });
        } catch (error) {
            problem.show(context.explain(error));
        }
    }

    push.standingOf(api).then(({ state, endpoint }) => {
        if (hasEnded || state !== "on") return;
        here = endpoint?.id ?? null;
        show();
    }, () => {});
    void follow();
    return {
        unmount() {
            hasEnded = true;
        },
    };
}

/** @param {Model} first */
function createLine(first) {
    const time = h("span", { class: "told-time test-time" });
    const shape = h("span", { class: "told-mark" });
    const name = h("p", { class: "told-what" });
    const what = h("p", { class: "small quiet" });
    const element = h("li", null, time, shape, h("div", null, name, what));
    /** @param {Model} model */
    function update(model) {
        setText(time, model.time);
        setShape(shape, model.shape);
        setText(name, model.name);
        setText(what, model.what);
    }
    update(first);
    return { element, update };
}
