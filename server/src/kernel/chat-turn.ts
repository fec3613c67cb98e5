import type { ReplyOptions } from "./reply-options.ts";

// What a run that answers in a conversation is shown, and what it tells while it writes.

type Json = Readonly<Record<string, unknown>>;

export interface Image {
  readonly media_type: string;
  /** In base64. */
  readonly data: string;
}

/** What a model sees of a conversation. All of it is data. */
export interface ChatTurn {
  /** What is known besides the messages, by what it is: the situation, memories, messages and files that were brought along. */
  readonly known: readonly { readonly what: string; readonly data: unknown }[];
  /** What was said so far, oldest first. */
  readonly history: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  /** What the user wrote, and is to be answered. */
  readonly message: string;
  /** Language tag of BCP 47; null: not known. */
  readonly language: string | null;
  /** The situation by its names. */
  readonly situation: Json;
  /** How the caller wants the reply. */
  readonly options: ReplyOptions;
  /** What the user brought for the model to see. Default: nothing. */
  readonly images?: readonly Image[];
  /** Answers before this one, in a row, for which no search was sure of an answer. */
  readonly unsureBefore?: number;
}

/** Something that a run tells, in this order for each step; `step` is its number in the run. */
export type Told =
  /** The model is asked: what was sent of this step before, and of later ones, is taken back. */
  | { readonly kind: "begin"; readonly step: number }
  /** `plain`: the service says it, in no format. */
  | { readonly kind: "text"; readonly step: number; readonly text: string; readonly plain?: true }
  /** The text of the step is whole. */
  | { readonly kind: "end"; readonly step: number }
  /** `forCaller`: the caller of the conversation runs it, and may see it now. */
  | {
      readonly kind: "call";
      readonly step: number;
      readonly tool: string;
      readonly arguments: unknown;
      readonly forCaller?: true;
    }
  | { readonly kind: "answered"; readonly step: number; readonly data: unknown }
  | {
      readonly kind: "failed";
      readonly step: number;
      readonly failure: { readonly code: string; readonly detail: string };
    };

/**
 * `told`: stored, and everybody who follows hears of it; `text`: that of the step that ended, as it was let out; `stopped`: it ends before a stop text. `blocked`: policies let nothing of the text out.
 * `lost`: another worker, or nobody, holds the lease.
 */
export type Telling =
  | { readonly kind: "told"; readonly text: string | null; readonly stopped?: boolean }
  | { readonly kind: "blocked"; readonly failure: { readonly code: string; readonly detail: string } }
  | { readonly kind: "lost" };

/** Tells what a run writes. One call after the other. */
export type Tell = (told: readonly Told[]) => Promise<Telling>;
