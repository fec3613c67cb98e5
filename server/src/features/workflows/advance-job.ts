import { Refusal } from "../../kernel/errors.ts";
import type { JobParts } from "../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../kernel/principal.ts";
import { conflict } from "../../kernel/problems.ts";
import { advanceRun } from "./operations/advance-run.ts";
import { cancelStep } from "./operations/cancel-step.ts";
import { holdStep } from "./operations/hold-step.ts";
import { refuseStep } from "./operations/refuse-step.ts";
import { startStep } from "./operations/start-step.ts";
import { unstarted } from "./run-store.ts";

/** Refusals that time may lift: the step is held at its start, and tried again. */
const passing: ReadonlySet<string> = new Set([
  "evaluation_gate_failed",
  "kill_switch_engaged",
  "agent_paused",
  "budget_exceeded",
  "audit_unavailable",
]);

/** The handler of the job: looks at the run once, then does outside what that came to. What throws is looked at again. */
export function createAdvanceJob({ db, inside }: Pick<JobParts, "db" | "inside">): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressOf(payload);
    if (!address) return;
    const { scope, run } = address;
    const { cancel } = await inside(advanceRun, scope, { run });
    for (const { step, attempt } of cancel) await inside(cancelStep, scope, { run, step, attempt });
    for (const { step, attempt } of await unstarted({ scope, db }, run))
      await begin(inside, scope, { run, step, attempt });
  };
}

async function begin(
  inside: JobParts["inside"],
  scope: Scope,
  at: { run: string; step: string; attempt: number },
): Promise<void> {
  try {
    await inside(startStep, scope, at);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code } = error.type;
    if (code === conflict.code) return;
    const failure = { code, detail: error.details.detail };
    await inside(passing.has(code) ? holdStep : refuseStep, scope, { ...at, failure });
  }
}

function addressOf(payload: unknown): { scope: Scope; run: string } | undefined {
  const { organization, environment, run } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || typeof run !== "string" || !environments.includes(environment as Environment))
    return undefined;
  return { scope: { organization, environment: environment as Environment }, run };
}
