import { canonicalJson } from "@aos/strict-json";
import type { WorkflowDefinition } from "../../workflows/schemas.ts";
import type { ListingPermission } from "../schema-words.ts";
import { costLevel, costWords } from "./permission-agent.ts";
import { grouped, listed, plain, said, sortedNames } from "./permission-tools.ts";

// Triggers, the agents and people that it sets to work, and the cost of a run.

type Step = WorkflowDefinition["steps"][number];
type Trigger = NonNullable<WorkflowDefinition["triggers"]>[number];
type Call = NonNullable<Step["compensate"]> & Pick<Step, "workflow">;

/** The agents, tools and workflows that it calls are the installer's own. */
export function workflowPermissions(workflow: WorkflowDefinition): ListingPermission[] {
  const steps = allSteps(workflow.steps);
  return [...agentCalls(steps), ...toolCalls(steps), ...subRuns(steps), ...triggers(workflow), runBudget(workflow)];
}

/** With those in branches and compensations. */
const allSteps = (steps: readonly Step[]): Call[] =>
  steps.flatMap((step) => [
    step,
    ...(step.compensate ? [step.compensate] : []),
    ...Object.values(step.parallel?.branches ?? {}).flatMap(allSteps),
  ]);

function agentCalls(steps: readonly Call[]): ListingPermission[] {
  const calls = steps.flatMap(({ agent }) => (agent ? [agent] : []));
  return grouped(calls, ({ name }) => [name]).map(([agent, some]) => {
    const skills = sortedNames(some.map(({ skill }) => skill));
    return {
      id: `tool:agent/${agent}`,
      kind: "tool",
      level: "elevated",
      text: `Gives tasks to your agent ${plain(agent)} (${listed(skills)}).`,
      value: { agent, skills },
    };
  });
}

function toolCalls(steps: readonly Call[]): ListingPermission[] {
  const calls = steps.flatMap(({ tool }) => (tool ? [tool] : []));
  return grouped(calls, ({ agent, name }) => [`${agent}/${name}`]).map(([id, [tool]]) => ({
    id: `tool:tool/${id}`,
    kind: "tool",
    level: "high",
    text: `Calls the tool ${plain(tool?.name ?? "")} of your agent ${plain(tool?.agent ?? "")}.`,
    value: { agent: tool?.agent, tool: tool?.name },
  }));
}

function subRuns(steps: readonly Call[]): ListingPermission[] {
  const names = sortedNames(steps.flatMap(({ workflow }) => (workflow ? [workflow.name] : [])));
  return names.map((workflow) => ({
    id: `tool:workflow/${workflow}`,
    kind: "tool",
    level: "elevated",
    text: `Runs your workflow ${plain(workflow)}.`,
    value: { workflow },
  }));
}

function triggers({ triggers: some = [] }: WorkflowDefinition): ListingPermission[] {
  const inOrder = [...some].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  return grouped(inOrder, (trigger) => [triggerName(trigger)]).flatMap(([name, alike]) =>
    alike.map(
      (trigger, at): ListingPermission => ({
        id: `trigger:${name}${at === 0 ? "" : `:${at + 1}`}`,
        kind: "trigger",
        level: "elevated",
        text: triggerText(trigger),
        value: triggerValue(trigger),
      }),
    ),
  );
}

function triggerName(trigger: Trigger): string {
  if (trigger.id !== undefined) return trigger.id;
  if ("schedule" in trigger) return `schedule:${trigger.schedule}`;
  return "hook" in trigger ? `hook:${trigger.hook}` : `event:${trigger.event}`;
}

function triggerText(trigger: Trigger): string {
  const by = trigger.as === undefined ? "" : `, as your service account ${plain(trigger.as)}`;
  if ("schedule" in trigger)
    return `Starts on a schedule: ${plain(trigger.schedule)} (${plain(trigger.time_zone ?? "UTC")})${by}.`;
  if ("hook" in trigger) return `Starts when somebody outside calls the hook ${plain(trigger.hook)}${by}.`;
  const where = trigger.where === undefined ? "" : ` where ${plain(trigger.where)}`;
  return `Starts for each event ${plain(trigger.event)}${where}${by}.`;
}

function triggerValue(trigger: Trigger): Record<string, unknown> {
  if ("schedule" in trigger)
    return said({ schedule: trigger.schedule, time_zone: trigger.time_zone, as: trigger.as, input: trigger.input });
  if ("hook" in trigger)
    return said({ hook: trigger.hook, publishes: trigger.publishes, map: trigger.map, as: trigger.as });
  return said({ event: trigger.event, where: trigger.where, map: trigger.map, as: trigger.as });
}

function runBudget({ limits = {} }: WorkflowDefinition): ListingPermission {
  const { cost_usd = null, duration = "30d", steps = 500 } = limits;
  return {
    id: "budget:run",
    kind: "budget",
    level: costLevel(cost_usd),
    text: `A run may ${costWords(cost_usd)}, take up to ${durationWords(duration)} and start up to ${steps} steps.`,
    value: { cost_usd, duration, steps },
  };
}

const units: Readonly<Record<string, string>> = { s: "second", m: "minute", h: "hour", d: "day" };

/** `1h30m` as `1 hour 30 minutes`. */
const durationWords = (duration: string): string =>
  [...duration.matchAll(/(\d+)([a-z]+)/g)]
    .map(([part, number, unit = ""]) => (units[unit] ? `${number} ${units[unit]}${number === "1" ? "" : "s"}` : part))
    .join(" ");
