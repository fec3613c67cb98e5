import { syntaxFault } from "@aos/workflow";
import type { Changes } from "../../../db/scoped.ts";
import type { CallContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { fault } from "../errors.ts";
import type { ChangeMissionBody, Measure, MissionStatus } from "../schemas.ts";

const closed: ReadonlySet<MissionStatus> = new Set(["completed", "cancelled"]);

export const isClosed = (status: MissionStatus): boolean => closed.has(status);

export function settingChanges({ measure, budget, deadline, inputs, ...rest }: ChangeMissionBody): Changes<"missions"> {
  return {
    ...rest,
    ...(measure && { measure: JSON.stringify(measure) }),
    ...(budget && { budget_usd: budget.cost_usd, budget_tasks: budget.tasks }),
    ...(deadline !== undefined && { deadline: deadline === null ? null : new Date(deadline) }),
    ...(inputs && { inputs: JSON.stringify(inputs) }),
  };
}

/** Faults of a mission's settings that no schema can express. */
export function settingFaults(ctx: CallContext, body: ChangeMissionBody): Fault[] {
  return [...agentFaults(ctx, body.agents ?? []), ...(body.measure ? measureFaults(body.measure) : [])];
}

function agentFaults(ctx: CallContext, agents: readonly string[]): Fault[] {
  return agents.flatMap((agent, at) => {
    const known = findKnownAgent(ctx, agent);
    if (known && !known.archived) return [];
    return [fault(`/agents/${at}`, "unknown_agent", `names no agent; there is no ${agent}`)];
  });
}

const overValues: ReadonlySet<string> = new Set(["sum", "mean", "min", "max"]);

function measureFaults({ aggregate, value, where }: Measure): Fault[] {
  const faults: Fault[] = [];
  if (overValues.has(aggregate) && value === undefined)
    faults.push(
      fault(
        "/measure/value",
        "missing_value",
        `is needed for ${aggregate}: the number of a result, such as output.amount`,
      ),
    );
  if (!overValues.has(aggregate) && value !== undefined)
    faults.push(
      fault("/measure/value", "not_here", `is not used by ${aggregate}; leave it out, or take sum, mean, min or max`),
    );
  for (const [name, source] of Object.entries({ where, value })) {
    const wrong = source === undefined ? undefined : syntaxFault(source);
    if (wrong !== undefined)
      faults.push(fault(`/measure/${name}`, "invalid_expression", `is no expression in CEL: ${wrong}`));
  }
  return faults;
}

/** The name of the workflow that carries out a mission's plans. */
export const workflowOf = (mission: string): string => `mission-${mission}`;
