import type { Scope } from "./principal.ts";
import type { TrustCase } from "./trust/index.ts";

// Running a version's skill outside of tasks: evaluations, training and previews do it. The runtime carries it out.

/** What one run used: whole steps and tokens, US dollars, milliseconds. */
export interface SkillUsage {
  readonly steps: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly ms: number;
}

/**
 * How a run ended. `features` are what the model said of its own answer, as far as it did.
 */
export type SkillOutcome =
  | {
      readonly kind: "completed";
      readonly output: Readonly<Record<string, unknown>>;
      readonly usage: SkillUsage;
      readonly features: TrustCase;
    }
  | {
      readonly kind: "failed";
      readonly failure: { readonly code: string; readonly detail: string };
      readonly usage: SkillUsage;
    };

/** Failures that are the version's own doing: who measures it scores them 0. */
const ownFailures: ReadonlySet<string> = new Set([
  ...["output_invalid", "no_output", "answer_cut_off", "answer_withheld"],
  ...[
    "input_invalid",
    "input_required",
    "unknown_tool",
    "record_not_found",
    "invalid_arguments",
    "arguments_invalid",
    "request_invalid",
  ],
  ...["step_limit", "time_limit", "token_limit", "cost_limit"],
]);

/**
 * The failure of a run that says nothing about its version: something else stood in the way, such as a stop, a budget or a provider that is out. Who measures keeps
 * nothing of it. Null: the run completed, or failed by the version's own doing.
 */
export function hindranceOf(outcome: SkillOutcome): { readonly code: string; readonly detail: string } | null {
  return outcome.kind === "completed" || isOwnFailure(outcome.failure) ? null : outcome.failure;
}

/** Whether a failure is the version's own doing. */
export const isOwnFailure = ({ code }: { readonly code: string }): boolean => ownFailures.has(code);

/** Something else than the version stood in the way of looking up an input's records, however often it was tried. */
export class GatheringHindered extends Error {
  readonly failure: { readonly code: string; readonly detail: string };
  constructor(failure: { readonly code: string; readonly detail: string }) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** Which skill runs where. `seed` goes to the model; an aborted `signal` breaks the run off: then its reason is thrown. */
export interface SkillRequest {
  readonly scope: Scope;
  readonly versionId: string;
  readonly skill: string;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a version's skill outside of tasks: reading tools work, writing ones are answered "not carried out", every model and tool call passes policy.
 * Nothing is journalled: callers keep results per item.
 */
export interface SkillRunner {
  run(request: SkillRequest & { readonly input: Readonly<Record<string, unknown>> }): Promise<SkillOutcome>;
  /**
   * What the reading tools find whose arguments each input supplies: by input, tool name -> data, as a run would be shown it. An input that something else than
   * the version hinders is tried three times, `pauseMs` (1,000 unless told) later and more each time; then `GatheringHindered` is thrown: nothing was looked up
   * for it, which is not the same as nothing found.
   */
  gather(
    request: SkillRequest & {
      readonly inputs: readonly Readonly<Record<string, unknown>>[];
      readonly pauseMs?: number;
    },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
}
