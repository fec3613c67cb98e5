import type { Step } from "@aos/workflow";
import { failedItems, type LoopAt, outputsOf, tokensOf, unknownItem } from "./item-store.ts";
import type { Looking } from "./plans.ts";

/** The outputs of a loop's items stand in its own output up to this size; longer ones are read by pages. */
const mostOutputBytes = 256 * 1024;
const mostFailuresShown = 20;

interface LoopEnd {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly costUsd: number;
  readonly takenBack: boolean;
  /** Attempts since the run was last done again from the loop, or since its start. */
  readonly tries: number;
}

/** What a loop came to, as the outcome of its step. A loop that collects failures has failed only while another attempt is to come, which repeats what failed. */
export async function resultOf(ctx: Looking, at: LoopAt, { for_each, retry }: Step, end: LoopEnd): Promise<object> {
  const { total, completed, failed, costUsd, takenBack, tries } = end;
  const used = { costUsd, tokens: await tokensOf(ctx, at) };
  if (takenBack)
    return { status: "cancelled", ...used, failure: { code: "cancelled", detail: "The loop was taken back." } };
  const failures = failed > 0 ? await failedItems(ctx, at, mostFailuresShown) : [];
  const unknown = failed > 0 ? await unknownItem(ctx, at) : undefined;
  const first = failures.find(({ code }) => code !== "cancelled" && !retry?.not_on?.includes(code));
  // Another attempt would repeat what may have been done.
  if (unknown !== undefined && for_each?.on_error !== "collect") {
    const failure = { code: "outcome_unknown", detail: `item ${unknown}: Nobody knows whether it was done.` };
    return { status: "outcome_unknown", ...used, failure };
  }
  const isRepeated = unknown === undefined && first !== undefined && tries < (retry?.attempts ?? 1);
  if (failed > 0 && (for_each?.on_error !== "collect" || isRepeated)) {
    const { index, code, detail } = first ??
      failures[0] ?? { index: 0, code: "failed", detail: "It did not complete." };
    return { status: "failed", ...used, failure: { code, detail: `item ${index}: ${detail}` } };
  }
  const outputs = await outputsOf(ctx, at, mostOutputBytes);
  const output = { total, completed, failed, ...(failed > 0 && { failures }), ...(outputs && { outputs }) };
  return { status: "completed", ...used, output };
}
