import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { madeAt } from "../../../kernel/moment.ts";
import { policyFacts } from "../facts.ts";
import type { PolicyPort } from "../ports.ts";
import { inForce, type PolicyText } from "./model.ts";
import { type Looked, recordedCalls } from "./replay-store.ts";
import type { ReplayReport } from "./schemas.ts";

export const dayMs = 86_400_000;
/** The default window of a replay. */
export const standardWindow = { days: 30, calls: 10_000 };

export interface Candidate {
  /** The policy whose versions it would replace; without one that is in force it is added. */
  readonly id: string;
  readonly version: number;
  readonly text: PolicyText;
}

/**
 * Asks recorded calls what would become of them if the candidate decided now, beside the other policies in force and in place of its own earlier
 * versions. Reads page by page and takes no lock.
 */
export async function replayCandidate(
  port: PolicyPort,
  ctx: ReadContext | WriteContext,
  candidate: Candidate,
  bounds: { readonly calls?: number | undefined; readonly since?: number | undefined } = {},
): Promise<ReplayReport> {
  const began = performance.now();
  const before = ctx.facts.get(policyFacts).of(ctx.scope);
  const others = before.filter(({ id }) => id !== candidate.id);
  const replaced = before.filter(({ id, state }) => id === candidate.id && state === "active");
  // A time in which it is to hold says nothing about what it would have done.
  const after = inForce(candidate.id, candidate.version, "active", { ...candidate.text, from: null, until: null });
  const actions = [after, ...replaced].flatMap(({ scope }) => port.actionsOf(scope));
  const looked: Looked = { oldest: null };
  const findings = await port.replay({
    before,
    after: [...others, after],
    candidate: candidate.id,
    now: ctx.now,
    pages: recordedCalls(
      ctx,
      {
        actions: [...new Set(actions)],
        calls: bounds.calls ?? standardWindow.calls,
        since: bounds.since ?? ctx.now - standardWindow.days * dayMs,
      },
      looked,
    ),
  });
  const report = {
    ...findings,
    examples: [...findings.examples],
    by_agent: [...findings.by_agent],
    from: looked.oldest === null ? null : madeAt(looked.oldest),
    to: timestamp(ctx.now),
  };
  const digest = createHash("sha256").update(canonicalJson(report)).digest("hex");
  return { ...report, digest, duration_ms: Math.round(performance.now() - began) };
}

const inWords = [
  ["would_be_denied", "would be denied"],
  ["would_wait", "would wait for people"],
  ["no_longer_denied", "would no longer be denied"],
  ["no_longer_wait", "would no longer wait"],
  ["would_be_redacted", "would be redacted"],
  ["would_be_limited", "would be limited"],
  ["failed", "could not be evaluated"],
  ["not_replayable", "left out"],
] as const;

/** A replay in one line, as it stands in the audit record of an activation. */
export function reportLine(report: ReplayReport): string {
  const number = (count: number): string => count.toLocaleString("en-US");
  const found = inWords.flatMap(([name, words]) => (report[name] > 0 ? [`${number(report[name])} ${words}`] : []));
  return `replayed over ${number(report.calls)} calls: ${found.join(", ") || "nothing changes"}; report sha256:${report.digest}`;
}
