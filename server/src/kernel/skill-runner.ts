import type { Payer } from "./budget.ts";
import type { Scope } from "./principal.ts";
import type { TrustCase } from "./trust/index.ts";

// Running a version's skill outside of tasks, for evaluations, training and previews. The runtime implements it.

export interface SkillUsage {
  readonly steps: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly ms: number;
}

/** `features`: what the model reported about its own answer. */
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

/** Failures of the version itself: evaluations score them 0. */
const ownFailures: ReadonlySet<string> = new Set([
  "output_invalid",
  "no_output",
  "answer_cut_off",
  "answer_withheld",
  ...[
    "input_invalid",
    "input_required",
    "unknown_tool",
    "record_not_found",
    "invalid_arguments",
    "arguments_invalid",
    "request_invalid",
  ],
  "step_limit",
  "time_limit",
  "token_limit",
  "cost_limit",
]);

/**
 * The failure of a run that is not the version's fault, such as a kill switch, a budget or a provider outage: evaluations discard it.
 * Null if the run completed or the version itself failed.
 */
export function hindranceOf(outcome: SkillOutcome): { readonly code: string; readonly detail: string } | null {
  return outcome.kind === "completed" || isOwnFailure(outcome.failure) ? null : outcome.failure;
}

export const isOwnFailure = ({ code }: { readonly code: string }): boolean => ownFailures.has(code);

/** Looking up an input's records failed on every attempt, for a reason outside the version. */
export class GatheringHindered extends Error {
  readonly failure: { readonly code: string; readonly detail: string };
  constructor(failure: { readonly code: string; readonly detail: string }) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** `seed` goes to the model; aborting `signal` ends the run, which throws its reason. */
export interface SkillRequest {
  readonly scope: Scope;
  readonly versionId: string;
  /** In place of a version: a definition that was not frozen. `versionId` is then what policies see as the version's id. */
  readonly draft?: { readonly agent: string; readonly definition: object };
  readonly skill: string;
  /** Who is charged besides agent and environment. Default: the service itself. */
  readonly charged?: Payer;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** A tool call of a run outside of tasks. `withheld`: it writes, and was not carried out. */
export interface TriedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly outcome: "read" | "fixture" | "withheld" | "refused" | "failed";
  /** What the run got; for `refused` and `failed` code and detail. */
  readonly result: unknown;
}

/** What stands in for tools: an output by the tool's name. `only`: tools that read and have none are not called either. */
export interface Fixtures {
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly only: boolean;
}

/**
 * Runs a version's skill outside of tasks: read tools work, write tools return "not carried out", policies apply to every model and tool call.
 * Nothing is journalled; callers store results per item.
 */
export interface SkillRunner {
  run(
    request: SkillRequest & {
      readonly input: Readonly<Record<string, unknown>>;
      readonly fixtures?: Fixtures;
      /** Hears of each tool call once it has ended. */
      readonly heard?: (call: TriedCall) => void;
    },
  ): Promise<SkillOutcome>;
  /**
   * Calls the read tools whose arguments each input supplies. Returns their data by tool name, one object per input.
   * A failure outside the version is retried three times, after `pauseMs` (default 1,000) and longer each time, then throws `GatheringHindered`:
   * "not looked up" must not pass for "nothing found".
   */
  gather(
    request: SkillRequest & {
      readonly inputs: readonly Readonly<Record<string, unknown>>[];
      readonly pauseMs?: number;
    },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
}
