import type { CallContext } from "../../kernel/context.ts";
import { systemPrincipal } from "../../kernel/principal.ts";
import { assessRisk } from "../../kernel/risk.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import type { DraftVerdict, JudgedDraft } from "../agents/public.ts";
import type { SkillDefinition, ToolDefinition } from "../agents/schemas.ts";
import { policiesOf } from "../governance/public.ts";
import { callDemand } from "./call-demand.ts";
import { approvalFor, declaredImpact, startingTrust } from "./model.ts";

type Action = DraftVerdict["action"];

/** What active policies and the declared risk say of each skill of a draft, of its model and of its tools, as if the caller dispatched it. */
export function judgeDraft(policies: SlicePorts["policies"], ctx: CallContext, draft: JudgedDraft): DraftVerdict[] {
  const { definition } = draft;
  const judge = (action: Action, skill: SkillDefinition, tool: ToolDefinition | null) =>
    verdictOn(policies, ctx, draft, { action, skill, tool });
  return definition.skills.flatMap((skill) => [
    judge("task.dispatch", skill, null),
    judge("model.call", skill, null),
    ...(skill.tools ?? []).flatMap((name) => {
      const tool = definition.tools.find((one) => one.name === name);
      return tool ? [judge("tool.call", skill, tool)] : [];
    }),
  ]);
}

interface Asked {
  readonly action: Action;
  readonly skill: SkillDefinition;
  readonly tool: ToolDefinition | null;
}

function verdictOn(port: SlicePorts["policies"], ctx: CallContext, draft: JudgedDraft, asked: Asked): DraftVerdict {
  const { action, skill, tool } = asked;
  const { risk, context } = contextOf(ctx, draft, asked);
  const said = port.check({
    ...{ facts: ctx.facts, scope: ctx.scope, now: ctx.now, version: null, context },
    policies: policiesOf(ctx),
  });
  const deciding = said.policies.flatMap(decisionOf);
  const { approval, tags } = said;
  const demand =
    action === "task.dispatch"
      ? approvalFor(ctx, risk, approval, false)
      : tool
        ? callDemand(ctx, { tool, risk, governed: { approval, tags }, tainted: false })
        : approval;
  const refusals = deciding.filter(
    ({ effect, outcome }) => outcome === "error" || (effect === "deny" && outcome === "applies"),
  );
  const denied = refusals.length > 0;
  const open = deciding.some(({ outcome }) => outcome === "depends_on_input");
  return {
    ...{ action, skill: skill.name, tool: tool?.name ?? null, policies: deciding },
    verdict: denied ? "deny" : open ? "depends_on_input" : demand ? "require_approval" : "allow",
    reasons: denied ? refusals.map(({ message }) => message) : [...(demand?.reasons ?? [])],
  };
}

/** Conditions ask `has()` first, so that without an input they do not apply. */
const readsInput = (when: string | null | undefined): boolean => /\b(input|data)\b/.test(when ?? "");

type Judged = ReturnType<SlicePorts["policies"]["check"]>["policies"][number];

/** What an active policy decides of a call without an input; nothing where it does not matter. */
function decisionOf({ policy: { id, effect, message, when, state }, outcome }: Judged): DraftVerdict["policies"] {
  if (state !== "active" || outcome === "outside_window") return [];
  const said = { policy_id: id, effect, message };
  if (outcome === "error") return [{ ...said, outcome }];
  if (!decides.has(effect)) return [];
  if (outcome === "applies") return [{ ...said, outcome }];
  return readsInput(when) ? [{ ...said, outcome: "depends_on_input" }] : [];
}

const decides: ReadonlySet<string> = new Set(["deny", "require_approval"]);

/** What policies would see: no input, the trust of a version without evidence, and the risk that the draft declares. */
function contextOf(ctx: CallContext, { agent, labels, definition }: JudgedDraft, { action, skill, tool }: Asked) {
  const { score, low, high } = startingTrust(ctx, "", skill.name);
  const used = definition.tools.filter(({ name }) => skill.tools?.includes(name));
  const declared = tool?.effect === "write" ? [tool.impact] : [skill.impact, ...used.map(({ impact }) => impact)];
  const risk = assessRisk({
    ...declaredImpact(declared.filter((impact) => impact !== undefined)),
    ...{ unattended: true, trust_low: low, critical_finding: false, mitigation: 0 },
  });
  const { id, kind, role } = action === "task.dispatch" ? ctx.principal : systemPrincipal("worker");
  const { level, impact, likelihood } = risk;
  const { model } = definition;
  const context = {
    ...{ action, environment: ctx.scope.environment, principal: { id, kind, role: role ?? "none" }, now: ctx.now },
    ...{ agent: { name: agent, labels }, skill: { name: skill.name } },
    ...(tool && { tool: { name: tool.name, effect: tool.effect } }),
    ...(action === "model.call" && { model: { name: model.provider === "builtin" ? "builtin" : model.name } }),
    risk: { level, score: risk.score, impact, likelihood },
    trust: { score, low, high },
  };
  return { risk, context };
}
