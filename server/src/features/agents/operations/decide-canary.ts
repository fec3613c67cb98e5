import { storableDeciders, storedActor, storedDeciders } from "../../../kernel/actor.ts";
import { type CanaryLook, lookAtCanary } from "../../../kernel/canary/index.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { automationStopped, stoppedText, tellStopped } from "../../admin/public.ts";
import { canaryObject, whyCanaryMayNot } from "../canary-actor.ts";
import { abortCanary, promoteCanary } from "../canary-end.ts";
import { deploymentAborted } from "../canary-events.ts";
import { type CanaryStep, leaveOf, nextStep } from "../canary-model.ts";
import { findCanary, holdCanary, ruleOf } from "../canary-store.ts";
import type { DeploymentRow } from "../deployment-store.ts";
import { deploymentChanged } from "../deployments-events.ts";
import { lockAgent } from "../draft-store.ts";
import { findStanding, listLooks, readEvidence, storeLook } from "../experiment-store.ts";

export interface DecideCanary {
  readonly agent: string;
  readonly deployment: string;
}

export interface DecidedCanary {
  /** `held`: whoever started it may not deploy any longer, so that nobody answers for promoting it. */
  readonly done: "aborted" | "promoted" | "held" | "looked" | "nothing";
}

/** Takes a look at a canary if one is due, and does what its rule says. A call of its own: it changes which version takes an agent's work. */
export const decideCanary: InsideOperation<DecideCanary, DecidedCanary> = defineInside({
  id: "agents.decideCanary",
  summary: "Look at a canary, and abort or promote it by its rule",
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
  const canary = await findStanding(ctx, deployment);
  return canary ? nextStep(canary, leaveOf(ctx, canary), ctx.now) : null;
}

async function takeLook(ctx: WriteContext, row: DeploymentRow): Promise<void> {
  const look = lookAtCanary(await readEvidence(ctx, row), await listLooks(ctx, row.id), ruleOf(row));
  await storeLook(ctx, row.id, look);
}

/** In the name of whoever started it. Aborting needs nobody's name: it goes back to what was live. */
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
