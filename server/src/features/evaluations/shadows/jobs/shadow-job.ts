import { wake } from "../../../../jobs/queue.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import { workLease } from "../../../../kernel/lease.ts";
import type { JobParts, Sweep } from "../../../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../../../kernel/principal.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { hindranceOf, type SkillOutcome, type TriedCall } from "../../../../kernel/skill-runner.ts";
import { storedJson } from "../../../../kernel/stored-json.ts";
import { findShadowOf, type ShadowDeployment } from "../../../agents/public.ts";
import { agentVersionRows } from "../../../agents/shared-rows.ts";
import { isIntact, listCalls, type SealedTask, sealedColumns, shadowTaskJob, taskJson } from "../../../tasks/public.ts";
import { taskRows } from "../../../tasks/shared-rows.ts";
import { endShadow } from "../operations/end-shadow.ts";
import { type CallMade, compareSides, type SideEnd } from "../rules.ts";
import {
  claimShadowRun,
  endShadowRun,
  giveBackShadowRun,
  type HeldShadowRun,
  holdsBudget,
  leaveOutShadowRuns,
  leaveOutTask,
  listIdleShadowRuns,
  longestRunMs,
  renewShadowRun,
  skipShadowRun,
  usedByShadow,
} from "../store.ts";

type ShadowParts = Pick<JobParts, "db" | "inside" | "seals" | "skills" | "newId">;

/** Defaults are for production; tests change them. */
export interface ShadowJobOptions {
  /** Milliseconds between renewals of the lease. */
  readonly renewMs?: number;
}

type LiveTask = SealedTask & {
  readonly skill: string;
  readonly cost_usd: number;
  readonly failure: string | null;
  readonly ran_ms: string;
  readonly definition: { readonly tools: readonly { readonly name: string; readonly effect: "read" | "write" }[] };
};

/** Repeats a task that has ended with the version in shadow, every write withheld, and stores how both compare. The task does not change. A wake-up that names a deployment is for that one only. */
export function createShadowJob(
  parts: ShadowParts,
  { renewMs = workLease.renewMs }: ShadowJobOptions = {},
): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressOf(payload);
    const work = address && (await takeUp(parts, address));
    if (!work) return;
    try {
      await carryOut(parts, address, work, renewMs);
    } catch (error) {
      await giveBackShadowRun(parts.db, work.run, error).catch(() => undefined); // without it the lease lapses
      throw error;
    }
  };
}

interface ShadowAddress extends Scope {
  readonly task: string;
  readonly deployment: unknown;
}

function addressOf(payload: unknown): ShadowAddress | undefined {
  const { organization, environment, task, deployment } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || typeof task !== "string") return undefined;
  if (!environments.includes(environment as Environment)) return undefined;
  return { organization, environment: environment as Environment, task, deployment };
}

interface Work {
  readonly run: HeldShadowRun;
  readonly task: LiveTask;
  readonly shadow: ShadowDeployment;
}

/** Undefined: nothing to do. The sweep ends runs of shadows that have ended. */
async function takeUp(parts: ShadowParts, address: ShadowAddress): Promise<Work | undefined> {
  const { task: id, deployment: named, ...scope } = address;
  const task = await findTask(parts, scope, id);
  if (!task) {
    await leaveOutTask(parts.db, scope, id);
    return undefined;
  }
  const shadow = await findShadowOf(parts.db, scope, task.agent);
  if (!shadow || shadow.versionId === task.version_id) return undefined;
  if (named !== undefined && named !== shadow.id) return undefined;
  const { versionId: version, id: deployment, definition } = shadow;
  const { agent, skill, cost_usd: liveUsd } = task;
  const limitUsd = definition.skills.find(({ name }) => name === skill)?.limits?.cost_usd ?? null;
  const at = { ...scope, task: id, deployment, agent, version, skill, limitUsd, liveUsd };
  if (await isSpent(parts, scope, shadow, id)) return undefined;
  const run = await claimShadowRun(parts.db, at, parts.newId("shr"));
  if (run === undefined) return undefined;
  if (await holdsBudget(parts.db, at, run, shadow.budget)) return { run, task, shadow };
  await skipShadowRun(parts.db, run, { reason: "budget_held" });
  return undefined;
}

/** Ends a shadow whose budget is used up, except for the run of this task. */
async function isSpent(
  { db, inside }: ShadowParts,
  scope: Scope,
  shadow: ShadowDeployment,
  task: string,
): Promise<boolean> {
  const used = await usedByShadow(db, scope, shadow.id, task);
  const { cost_usd, tasks } = shadow.budget;
  const spent = used.tasks >= tasks ? `its ${tasks} tasks` : used.usd >= cost_usd ? `its ${cost_usd} US dollars` : null;
  if (spent === null) return false;
  const ending = { agent: shadow.agent, deployment: shadow.id, reason: `It has used up ${spent}.` };
  await inside(endShadow, scope, ending).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.type.code === conflict.code)) throw error; // it has ended meanwhile
  });
  return true;
}

async function carryOut(
  parts: ShadowParts,
  { organization, environment }: Scope,
  { run, task, shadow }: Work,
  renewMs: number,
): Promise<void> {
  const scope = { organization, environment };
  const calls: CallMade[] = [];
  const heard = ({ tool, arguments: given, outcome }: TriedCall): void => {
    calls.push({ tool, effect: outcome === "withheld" ? "write" : "read", arguments: given });
  };
  const request = {
    scope,
    versionId: shadow.versionId,
    skill: task.skill,
    seed: 1,
    input: taskJson(task, "input"),
    heard,
  };
  const lost = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(longestRunMs), lost.signal]);
  const renew = async (): Promise<void> => {
    if (!(await renewShadowRun(parts.db, run))) lost.abort();
  };
  const timer = setInterval(() => void renew().catch(() => undefined), renewMs); // one that fails is made up for by the next
  timer.unref();
  const running = parts.skills.run({ ...request, signal }).finally(() => clearInterval(timer));
  const outcome = await running.catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (lost.signal.aborted) return; // another worker has the run, or it has ended
  const hindrance = outcome === null ? { code: "time_limit" } : hindranceOf(outcome);
  if (outcome === null || hindrance) {
    const { code: reason } = hindrance as { code: string };
    return skipShadowRun(parts.db, run, { reason, usd: outcome?.usage.costUsd ?? 0 });
  }
  const [live, ran] = [await liveSide(parts, scope, task), shadowSide(outcome, calls)];
  await endShadowRun(parts.db, run, {
    live,
    shadow: ran,
    comparison: compareSides(live, ran),
    liveUsd: task.cost_usd,
    usd: outcome.usage.costUsd,
    liveMs: Number(task.ran_ms),
    ms: outcome.usage.ms,
  });
}

/** Including the task's last claim. */
const ranMs = "t.ran_ms + coalesce(greatest(0, extract(epoch from t.finished_at - t.claimed_at) * 1000), 0)::bigint";

/** A task that ended on its own and is as recorded. */
async function findTask({ db, seals }: ShadowParts, scope: Scope, id: string): Promise<LiveTask | undefined> {
  const [task] = await db.query<LiveTask>(
    `select ${sealedColumns("t")}, t.skill, t.cost_usd, t.failure, ${ranMs} as ran_ms, v.definition
     from ${taskRows} t join ${agentVersionRows} v on v.organization = t.organization and v.id = t.version_id
     where t.organization = $1 and t.environment = $2 and t.id = $3 and t.status in ('completed', 'failed') and t.conversation is null`,
    [scope.organization, scope.environment, id],
  );
  return task && isIntact({ seals, scope }, task) ? task : undefined;
}

const callJson = storedJson<{ input: Readonly<Record<string, unknown>> }>();

async function liveSide({ db }: ShadowParts, scope: Scope, task: LiveTask): Promise<SideEnd> {
  const effects = new Map(task.definition.tools.map(({ name, effect }) => [name, effect]));
  const calls = await listCalls(db, scope, task.id);
  return {
    status: task.status as SideEnd["status"],
    output: taskJson(task, "output"),
    failure: taskJson(task, "failure")?.code ?? null,
    calls: calls.map(({ name, input }) => ({
      tool: name,
      effect: effects.get(name) ?? "read",
      arguments: callJson({ input }, "input"),
    })),
  };
}

const shadowSide = (outcome: SkillOutcome, calls: readonly CallMade[]): SideEnd =>
  outcome.kind === "completed"
    ? { status: "completed", output: outcome.output, failure: null, calls }
    : { status: "failed", output: null, failure: outcome.failure.code, calls };

const most = 100;

/** Wakes workers for idle runs, and skips those whose shadow has ended or that were tried too often. */
export const shadowSweep: Sweep = {
  name: "evaluations.shadows",
  async run({ db }) {
    await leaveOutShadowRuns(db, most);
    const idle = await listIdleShadowRuns(db, most);
    await wake(
      db,
      idle.map(({ organization, environment, task, deployment }) => ({
        task: shadowTaskJob,
        payload: { organization, environment, task, deployment },
        key: `shadow ${task}`,
        priority: 10,
      })),
    );
  },
};
