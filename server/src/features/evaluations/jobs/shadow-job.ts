import { Refusal } from "../../../kernel/errors.ts";
import type { JobParts } from "../../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../../kernel/principal.ts";
import { conflict } from "../../../kernel/problems.ts";
import { hindranceOf, type SkillOutcome, type TriedCall } from "../../../kernel/skill-runner.ts";
import { findShadowOf, type ShadowDeployment } from "../../agents/public.ts";
import { isIntact, listCalls, type SealedTask, sealedColumns } from "../../tasks/public.ts";
import { endShadow } from "../operations/end-shadow.ts";
import { type CallMade, compareSides, type SideEnd } from "../shadow-model.ts";
import {
  claimShadowRun,
  endShadowRun,
  giveUpTry,
  holdsBudget,
  leaseMinutes,
  skipShadowRun,
  usedByShadow,
} from "../shadow-store.ts";

export type ShadowParts = Pick<JobParts, "db" | "inside" | "seals" | "skills" | "newId">;

type LiveTask = SealedTask & {
  readonly skill: string;
  readonly cost_usd: number;
  readonly failure: string | null;
  readonly ran_ms: string;
  readonly definition: { readonly tools: readonly { readonly name: string; readonly effect: "read" | "write" }[] };
};

/**
 * The handler of the job that a task's end wakes: carries the task out once more by the version in shadow, with every write withheld, and stores what was the same.
 * Whatever the shadow does, nothing of the task changes.
 */
export function createShadowJob(parts: ShadowParts): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const { organization, environment, task } = (payload ?? {}) as Record<string, unknown>;
    if (typeof organization !== "string" || typeof task !== "string") return;
    if (!environments.includes(environment as Environment)) return;
    await shadowTask(parts, { organization, environment: environment as Environment }, task);
  };
}

async function shadowTask(parts: ShadowParts, scope: Scope, id: string): Promise<void> {
  const task = await findTask(parts, scope, id);
  const shadow = task && (await findShadowOf(parts.db, scope, task.agent));
  if (!task || !shadow || shadow.versionId === task.version_id) return;
  const { versionId: version, id: deployment, definition } = shadow;
  const { agent, skill, cost_usd: liveUsd } = task;
  const limitUsd = definition.skills.find(({ name }) => name === skill)?.limits?.cost_usd ?? null;
  const at = { ...scope, task: id, deployment, agent, version, skill, limitUsd, liveUsd };
  if (await isSpent(parts, scope, shadow)) return;
  const run = await claimShadowRun(parts.db, at, parts.newId("shr"));
  if (run === undefined) return;
  if (!(await holdsBudget(parts.db, at, run, shadow.budget)))
    return skipShadowRun(parts.db, scope, run, { reason: "budget_held" });
  try {
    await carryOut(parts, scope, { run, task, shadow });
  } catch (error) {
    await giveUpTry(parts.db, scope, run);
    throw error;
  }
}

/** Ends a shadow whose budget is used up. */
async function isSpent({ db, inside }: ShadowParts, scope: Scope, shadow: ShadowDeployment): Promise<boolean> {
  const used = await usedByShadow(db, scope, shadow.id);
  const { cost_usd, tasks } = shadow.budget;
  const spent = used.tasks >= tasks ? `its ${tasks} tasks` : used.usd >= cost_usd ? `its ${cost_usd} US dollars` : null;
  if (spent === null) return false;
  const ending = { agent: shadow.agent, deployment: shadow.id, reason: `It has used up ${spent}.` };
  await inside(endShadow, scope, ending).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.type.code === conflict.code)) throw error; // it has ended meanwhile
  });
  return true;
}

interface Work {
  readonly run: string;
  readonly task: LiveTask;
  readonly shadow: ShadowDeployment;
}

async function carryOut(parts: ShadowParts, scope: Scope, { run, task, shadow }: Work): Promise<void> {
  const calls: CallMade[] = [];
  const heard = ({ tool, arguments: given, outcome }: TriedCall): void => {
    calls.push({ tool, effect: outcome === "withheld" ? "write" : "read", arguments: given });
  };
  const request = {
    scope,
    versionId: shadow.versionId,
    skill: task.skill,
    seed: 1,
    input: JSON.parse(task.input),
    heard,
  };
  const signal = AbortSignal.timeout((leaseMinutes - 1) * 60_000);
  const outcome = await parts.skills.run({ ...request, signal }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  const hindrance = outcome === null ? { code: "time_limit" } : hindranceOf(outcome);
  if (outcome === null || hindrance) {
    const { code: reason } = hindrance as { code: string };
    return skipShadowRun(parts.db, scope, run, { reason, usd: outcome?.usage.costUsd ?? 0 });
  }
  const [live, ran] = [await liveSide(parts, scope, task), shadowSide(outcome, calls)];
  await endShadowRun(parts.db, scope, run, {
    ...{ live, shadow: ran, comparison: compareSides(live, ran) },
    ...{ liveUsd: task.cost_usd, usd: outcome.usage.costUsd, liveMs: Number(task.ran_ms), ms: outcome.usage.ms },
  });
}

/** How long a task ran that has ended: with its last claim, too. */
const ranMs = "t.ran_ms + coalesce(greatest(0, extract(epoch from t.finished_at - t.claimed_at) * 1000), 0)::bigint";

/** A task that has ended on its own, and is what was recorded. */
async function findTask({ db, seals }: ShadowParts, scope: Scope, id: string): Promise<LiveTask | undefined> {
  const [task] = await db.query<LiveTask>(
    `select ${sealedColumns("t")}, t.skill, t.cost_usd, t.failure, ${ranMs} as ran_ms, v.definition
     from tasks t join agent_versions v on v.organization = t.organization and v.id = t.version_id
     where t.organization = $1 and t.environment = $2 and t.id = $3 and t.status in ('completed', 'failed') and t.conversation is null`,
    [scope.organization, scope.environment, id],
  );
  return task && isIntact({ seals, scope }, task) ? task : undefined;
}

async function liveSide({ db }: ShadowParts, scope: Scope, task: LiveTask): Promise<SideEnd> {
  const effects = new Map(task.definition.tools.map(({ name, effect }) => [name, effect]));
  const calls = await listCalls(db, scope, task.id);
  return {
    status: task.status as SideEnd["status"],
    output: task.output === null ? null : JSON.parse(task.output),
    failure: task.failure === null ? null : (JSON.parse(task.failure) as { code: string }).code,
    calls: calls.map(({ name, input }) => ({
      tool: name,
      effect: effects.get(name) ?? "read",
      arguments: JSON.parse(input),
    })),
  };
}

const shadowSide = (outcome: SkillOutcome, calls: readonly CallMade[]): SideEnd =>
  outcome.kind === "completed"
    ? { status: "completed", output: outcome.output, failure: null, calls }
    : { status: "failed", output: null, failure: outcome.failure.code, calls };
