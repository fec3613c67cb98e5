import {
  GatheringHindered,
  hindranceOf,
  isOwnFailure,
  type SkillOutcome,
  type SkillRequest,
  type SkillRunner,
} from "../kernel/skill-runner.ts";
import type { Failure } from "./port.ts";
import { pause } from "./signals.ts";

// Looking up for many inputs what a skill's reading tools find.

type Records = Readonly<Record<string, unknown>>;

/** What was looked up for one input. */
export interface Gathered {
  readonly records: Records;
  /** What kept tools from saying what they have; null: nothing, and what is not among the records is not there. */
  readonly hindrance: Failure | null;
}

/** Inputs that are gathered for at the same time: they wait for the database, not for the processor. */
const atOnce = 8;
/** How often an input is tried that something else than its version hinders. */
const tries = 3;

/** What other services say of just this input: a run would get the same, and go on without. */
const saidOfInput: ReadonlySet<string> = new Set(["http_not_found", "http_refused", "response_too_large"]);

/** The failure of a call that says nothing of whether there is such a record; null: it says that there is none to be had. */
export function hindranceOfCall(failure: Failure): Failure | null {
  return saidOfInput.has(failure.code) || isOwnFailure(failure) ? null : failure;
}

/** Why a run that only looks up did not come to its end. Nothing takes time in it but its tools: time that ran out is theirs. */
export function hindranceIn(outcome: SkillOutcome): Failure | null {
  return outcome.kind === "failed" && outcome.failure.code === "time_limit" ? outcome.failure : hindranceOf(outcome);
}

/** What is found by input, in their order. The first input that cannot be gathered for ends the others. */
export async function gatherAll(
  once: (request: SkillRequest, input: Records) => Promise<Gathered>,
  { inputs, pauseMs = 1_000, ...request }: Parameters<SkillRunner["gather"]>[0],
): Promise<readonly Records[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const found: Records[] = new Array(inputs.length);
  const left = inputs.entries();
  const lane = async (): Promise<void> => {
    for (const [at, input] of left)
      found[at] = await patiently(() => once({ ...request, signal }, input), { signal, pauseMs });
  };
  const failing = (): Promise<void> =>
    lane().catch((error: unknown) => {
      stop.abort(error);
      throw error;
    });
  await Promise.all(Array.from({ length: atOnce }, failing));
  return found;
}

/** Looks up until nothing hinders it, a few times. */
async function patiently(
  once: () => Promise<Gathered>,
  { signal, pauseMs }: { readonly signal: AbortSignal; readonly pauseMs: number },
): Promise<Records> {
  for (let tried = 1; ; tried++) {
    const { records, hindrance } = await once();
    if (hindrance === null) return records;
    if (tried >= tries) throw new GatheringHindered(hindrance);
    await pause(signal, pauseMs * tried);
  }
}
