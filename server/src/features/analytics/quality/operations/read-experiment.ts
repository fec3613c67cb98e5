import { type Static, Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import {
  canaryRuleOf,
  type ExperimentArm,
  findExperiment,
  type Experiment as Known,
  readExperiment,
} from "../../../agents/public.ts";
import type { CanaryRule } from "../../../agents/schemas.ts";
import { exampleExperiment } from "../example.ts";
import { Experiment } from "../schemas.ts";

export const readExperimentFigures = defineRead({
  id: "analytics.readExperiment",
  path: "/v1/analytics/experiments/{deployment}",
  summary: "Compare a canary with the live version",
  description:
    "Both sides with their judged tasks, failures, trust, cost and duration, the difference with its interval, the looks so far with their bounds, and what it will lead to. Only tasks that were drawn for either side count.",
  params: Type.Object({ deployment: Type.String({ description: "The canary, `dep_…`." }) }),
  output: Experiment,
  example: { params: { deployment: exampleExperiment.deployment_id }, output: exampleExperiment },
  permission: "analytics:read",
  load: (ctx, { deployment }) => findExperiment(ctx, deployment),
  compliance: governs("analytics.read"),
  audit: ({ params }) => `deployment:${params.deployment}`,
  handle: async (ctx, { loaded }) => experimentView(await readExperiment(ctx, loaded)),
});

type Outlook = Experiment["outlook"];

export function experimentView({ canary, arms, looks, judged, outlook, held }: Known): Experiment {
  const rule = canaryRuleOf(canary);
  return {
    deployment_id: canary.id,
    agent: canary.agent,
    state: canary.state,
    outcome: canary.outcome,
    reason: canary.reason,
    share: canary.share ?? 0,
    held,
    rule,
    started_at: canary.created_at.toISOString(),
    ended_at: canary.ended_at?.toISOString() ?? null,
    arms,
    looks: looks.map(({ look, at, judged: seen, quality, failures, verdict, text }) => ({
      look,
      at: at.toISOString(),
      judged: seen,
      quality,
      failures,
      verdict,
      text,
    })),
    judged,
    outlook: canary.state === "canary" ? heading(outlook, rule, arms) : ended(outlook),
    notes: notesOf(arms),
  };
}

const ended = ({ verdict }: Known["outlook"]): Outlook => ({
  verdict,
  leads_to: "ended",
  needed: null,
  next_look: null,
  text: "The canary ended.",
});

function heading(outlook: Known["outlook"], rule: Static<typeof CanaryRule>, arms: Known["arms"]): Outlook {
  const { verdict, needed } = outlook;
  const after = needed === null || needed === 0 ? "now" : `after about ${needed} more judged tasks of the canary`;
  if (verdict === "worse")
    return { ...outlook, leads_to: "abort", text: `If tasks go on as they did, it is aborted ${after}.` };
  if (verdict === "no_worse") {
    const promoted = rule.promote === "by_rule";
    const then = promoted ? "is promoted" : "can be promoted by a person";
    const text = `If tasks go on as they did, it is found no worse ${after}, and ${then}.`;
    return { ...outlook, leads_to: promoted ? "promotion" : "decision", text };
  }
  const limit = { hold: "a person decides", promote: "it is promoted", abort: "it is aborted" }[rule.on_limit];
  if (arms.canary.judged === 0 || arms.stable.judged === 0)
    return {
      ...outlook,
      leads_to: "limit",
      text: "Nothing can be foreseen before people have judged tasks of both sides.",
    };
  const text = `If tasks go on as they did, ${rule.most_judged} judged tasks will not decide it; then ${limit}.`;
  return { ...outlook, leads_to: "limit", text };
}

/** Judged shares differ by chance this far, in standard deviations. */
const usual = 3;

function notesOf({ canary, stable }: { readonly canary: ExperimentArm; readonly stable: ExperimentArm }): string[] {
  const notes: string[] = [];
  if (canary.judged === 0 || stable.judged === 0)
    notes.push(
      "People have judged no task on one side yet: without judged tasks a canary is neither promoted nor found worse, except by failures.",
    );
  const [a, b] = [canary, stable].map(({ completed, judged }) => ({
    n: completed,
    share: Math.min(1, judged / Math.max(1, completed)),
  })) as [{ n: number; share: number }, { n: number; share: number }];
  const all = (a.share * a.n + b.share * b.n) / Math.max(1, a.n + b.n);
  const deviation = Math.sqrt(all * (1 - all) * (1 / Math.max(1, a.n) + 1 / Math.max(1, b.n)));
  if (deviation > 0 && Math.abs(a.share - b.share) > usual * deviation) {
    const percent = (share: number): string => `${Math.round(100 * share)} %`;
    notes.push(
      `People judged ${percent(a.share)} of completed tasks of the canary and ${percent(b.share)} of the live version: where they judge what they dislike more often, this moves the accepted shares. Reviews drawn at random do not.`,
    );
  }
  return notes;
}
