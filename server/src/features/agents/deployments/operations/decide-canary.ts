import { storableDeciders, storedActor, storedDeciders } from "../../../../kernel/actor.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import type { Sweep } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { automationStopped, stoppedText, tellStopped } from "../../../admin/public.ts";
import { lockAgent } from "../../definitions/store.ts";
import { type CanaryLook, lookAtCanary } from "../canaries/decide.ts";
import { abortCanary, promoteCanary } from "../canaries/effects.ts";
import { type CanaryStep, canaryObject, leaveOf, nextStep, whyCanaryMayNot } from "../canaries/rules.ts";
import {
  findCanary,
  findCanaryProgress,
  holdCanary,
  listCanaryProgress,
  listLooks,
  readEvidence,
  ruleOf,
  storeLook,
} from "../canaries/store.ts";
import { deploymentAborted, deploymentChanged } from "../events.ts";
import type { DeploymentRow } from "../store.ts";

interface DecideCanary {
  readonly agent: string;
  readonly deployment: string;
}

interface DecidedCanary {
  /** `held`: whoever started it may not deploy any longer, so nobody answers for promoting it. */
  readonly done: "aborted" | "promoted" | "held" | "looked" | "nothing";
}

/** Takes a due look and acts on it. A call of its own, since it changes which version runs. */
export const decideCanary: InsideOperation<DecideCanary, DecidedCanary> = defineInside({
  id: "agents.decideCanary",
  summary: "Evaluate a canary, and abort or promote it by its rule",
  permission: exempt("a machine of the service itself"),
  load: exempt("names no object that could be absent"),
  gate: exempt("promotes only what the gate lets act, which the rule asks; the gate is asked again at each dispatch"),
  compliance: exempt("carries out the rule that a caller was allowed to set"),
  audit: ({ params }) => `deployment:${params.deployment}`,
  emits: [deploymentAborted, deploymentChanged, automationStopped],
  async handle(ctx, { params: { agent, deployment } }): Promise<DecidedCanary> {
    await lockAgent(ctx, agent);
    const row = await findCanary(ctx, agent);
    if (row?.id !== deployment) return { done: "nothing" };
    let step = await stepOf(ctx, deployment);
    const looked = step === "look";
    if (looked) {
      await takeLook(ctx, row);
      step = await stepOf(ctx, deployment);
    }
    if (step === null || step === "look") return { done: looked ? "looked" : "nothing" };
    return act(ctx, row, step, (await listLooks(ctx, deployment)).at(-1));
  },
});

async function stepOf(ctx: WriteContext, deployment: string): Promise<CanaryStep | null> {
  const canary = await findCanaryProgress(ctx, deployment);
  return canary ? nextStep(canary, leaveOf(ctx, canary), ctx.now) : null;
}

async function takeLook(ctx: WriteContext, row: DeploymentRow): Promise<void> {
  const look = lookAtCanary(await readEvidence(ctx, row), await listLooks(ctx, row.id), ruleOf(row));
  await storeLook(ctx, row.id, look);
}

/** On behalf of whoever started it. Aborting needs no owner: it restores what was live. */
async function promote(ctx: WriteContext, row: DeploymentRow, evidence: string): Promise<DecidedCanary> {
  const why = await whyCanaryMayNot(ctx, row);
  if (why !== null) {
    const reason = stoppedText(why);
    await holdCanary(ctx, row.id, reason);
    tellStopped(ctx, canaryObject(row.id), storedActor(row.actor)?.owner ?? row.author, reason);
    return { done: "held" };
  }
  const account = {
    actor: JSON.stringify(row.actor),
    deciders: storableDeciders(storedDeciders(row.deciders)),
  };
  await promoteCanary(ctx, row, { reason: evidence, gate: row.gate ?? "null", ...account });
  return { done: "promoted" };
}

async function act(
  ctx: WriteContext,
  row: DeploymentRow,
  step: Exclude<CanaryStep, "look">,
  last: CanaryLook | undefined,
): Promise<DecidedCanary> {
  const evidence = last?.text ?? "No look was taken yet.";
  ctx.note(evidence);
  if (step === "promote") return promote(ctx, row, evidence);
  const { most_judged } = ruleOf(row);
  const said = {
    abort_worse: { cause: "worse", reason: evidence },
    abort_limit: { cause: "limit", reason: `${most_judged} judged tasks did not decide it. ${evidence}` },
    abort_gate: { cause: "gate", reason: "The evaluation gate refuses its version." },
  } as const;
  await abortCanary(ctx, row, { ...said[step], evidence });
  return { done: "aborted" };
}

/** Looks at canaries when enough of their tasks were judged, and aborts or promotes them by their rule. */
export const canarySweep: Sweep = {
  name: "agents.canary",
  async run({ db, inside, now, facts, port }) {
    const failures: unknown[] = [];
    for (const canary of await listCanaryProgress(db)) {
      if (nextStep(canary, leaveOf({ facts, now, port }, canary), now) === null) continue;
      const { organization, environment, agent, id: deployment } = canary;
      // One canary that fails keeps no other waiting.
      await inside(decideCanary, { organization, environment }, { agent, deployment }).catch((error: unknown) =>
        failures.push(error),
      );
    }
    if (failures.length > 0) throw failures[0];
  },
};
