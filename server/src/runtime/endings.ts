import type { AnswerFeatures, Failure, HandedCall, Predictions } from "./port.ts";
import type { CallOutcome } from "./transcript.ts";

/** How a run ended; `lost`: the lease is gone, and nothing that this worker could still write would count. */
export type Ending =
  | {
      readonly kind: "completed";
      readonly output: Readonly<Record<string, unknown>>;
      readonly features: AnswerFeatures;
      readonly predictions: Predictions | null;
    }
  | Unfinished;

export type Unfinished =
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "blocked"; readonly failure: Failure }
  /** Another worker goes on with it; where `seconds` says so, only so much later. */
  | { readonly kind: "given_back"; readonly seconds?: number }
  /** A stop or pause stands against going on, with this tool or model. */
  | { readonly kind: "held"; readonly tool: string | null; readonly model: string | null }
  /** People were asked, and the lease was given up. */
  | { readonly kind: "waiting" }
  | { readonly kind: "lost" };

/** What came of a call that the model asked for. */
export type ToolTaken =
  | { readonly kind: "outcome"; readonly outcome: CallOutcome }
  /** It is for the caller of the conversation, with these arguments. */
  | { readonly kind: "for_caller"; readonly call: HandedCall; readonly arguments: unknown }
  | Unfinished;
