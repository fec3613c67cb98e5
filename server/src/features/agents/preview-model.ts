import { compileUserSchema } from "@aos/json-schema";
import { nearestName } from "@aos/text";
import type { Fault } from "../../kernel/errors.ts";
import type { SkillOutcome } from "../../kernel/skill-runner.ts";
import type { AgentDefinition } from "./definition.ts";
import type { Preview, PreviewBody, PreviewCall, PreviewFinding } from "./preview-schemas.ts";

/** What of a preview's body does not fit the definition that is to run. */
export function previewFaults({ skills, tools }: AgentDefinition, body: PreviewBody): Fault[] {
  const skill = skills.find(({ name }) => name === body.task);
  const fixtures = Object.keys(body.fixtures ?? {}).flatMap(
    (name): Fault[] =>
      tools.some((tool) => tool.name === name)
        ? []
        : [
            unknown(
              `/fixtures/${name}`,
              "tool",
              name,
              tools.map((tool) => tool.name),
            ),
          ], // names are words: nothing to escape
  );
  if (!skill)
    return [
      unknown(
        "/task",
        "skill",
        body.task,
        skills.map(({ name }) => name),
      ),
      ...fixtures,
    ];
  const compiled = compileUserSchema(skill.input);
  if (!compiled.ok) return fixtures;
  return [...compiled.validate(body.input).map((one) => ({ ...one, pointer: `/input${one.pointer}` })), ...fixtures];
}

function unknown(pointer: string, what: string, name: string, known: readonly string[]): Fault {
  const close = nearestName(name, known);
  const hint = close ? `did you mean ${close}?` : `it has ${known.join(", ") || "none"}`;
  return { pointer, code: `unknown_${what}`, detail: `names no ${what} of the definition: ${name}; ${hint}` };
}

/** A preview as it leaves the service. */
export function previewView(
  of: Pick<Preview, "agent" | "version" | "task">,
  outcome: SkillOutcome,
  calls: readonly PreviewCall[],
): Preview {
  const { steps, tokens, costUsd, ms } = outcome.usage;
  const done = outcome.kind === "completed";
  return {
    ...of,
    status: outcome.kind,
    output: done ? { ...outcome.output } : null,
    failure: done ? null : outcome.failure,
    calls: [...calls],
    ...{ steps, tokens, cost_usd: Math.round(costUsd * 1e6) / 1e6, ms: Math.round(ms) },
    findings: findingsOf(outcome, calls),
  };
}

function findingsOf(outcome: SkillOutcome, calls: readonly PreviewCall[]): PreviewFinding[] {
  const named = (which: PreviewCall["outcome"]): string[] => [
    ...new Set(calls.flatMap(({ tool, outcome: was }) => (was === which ? [tool] : []))),
  ];
  const about = (which: PreviewCall["outcome"], severity: PreviewFinding["severity"], words: string) => {
    const tools = named(which);
    return tools.length === 0 ? [] : [{ severity, code: `calls_${which}`, detail: `${words}: ${tools.join(", ")}.` }];
  };
  return [
    ...(outcome.kind === "failed" ? [{ severity: "error" as const, ...outcome.failure }] : evidenceOf(outcome)),
    ...about("refused", "warning", "Policies, budgets or kill switches refused calls of"),
    ...about("failed", "warning", "Calls failed of"),
    ...about("withheld", "info", "Not carried out, and the model was told so"),
  ];
}

/** What the model says of its own answer. */
function evidenceOf({ features }: Extract<SkillOutcome, { kind: "completed" }>): PreviewFinding[] {
  const { ungrounded } = features;
  if (typeof ungrounded !== "number" || ungrounded <= 0) return [];
  const detail = `${Math.round(ungrounded * 100)} % of the answer is not supported by what was looked up.`;
  return [{ severity: "warning", code: "ungrounded", detail }];
}
