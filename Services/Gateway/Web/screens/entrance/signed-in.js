/** Back from the sign-in provider: takes up the session that was opened there, and goes on. */

import { createProblem, createStartPage } from "../../components/page/page.js";
import { createMark } from "../../components/symbol/symbol.js";
import { brand } from "../../lang/languages.js";
import { NoAnswer } from "../../words/problem.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, session } = context;
    context.title(t("start.signIn"));
    const page = createStartPage({ top: createMark(), title: brand.name, lead: t("start.signingIn") });
    const problem = createProblem({ text: t("common.retry"), press: takeUp });
    page.body.append(problem.element);
    root.replaceChildren(...page.parts);

    async function takeUp() {
        problem.show("");
        try {
            await session.takeUp();
        } catch (error) {
            // Without an answer the session is there still; refused, there is none.
            if (error instanceof NoAnswer) return problem.show(context.explain(error));
        }
        // Whoever is signed in goes on from there to where they wanted.
        await context.navigate("/sign-in", { replace: true });
    }
    takeUp();
    return { unmount() {} };
}
