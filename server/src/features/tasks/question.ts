import type { Fault } from "../../kernel/errors.ts";

/** What a run waits to be told, as it is stored with its task. */
export interface Asked {
  /** The step that the answer ends, `stp_…`. */
  readonly step_id: string;
  /** `answer`: the agent asked. `outcome`: whether a call took effect whose end nobody saw. */
  readonly kind: "answer" | "outcome";
  readonly text: string;
  /** The answers that it takes; null: any text. */
  readonly options: string[] | null;
  /** RFC 3339. */
  readonly asked_at: string;
}

/** What is asked about a call whose outcome is not known: it is not simply made again. */
export const outcomeOptions = ["it_took_effect", "it_did_not"] as const;

/** The question about such a call. `why` its end is not known, in words for people; undefined: its worker was lost. */
export function outcomeQuestion(tool: string, why = "its worker was lost while it ran"): string {
  return `Did ${tool} take effect? How it ended is not known: ${why.replace(/\.?$/, ".")} Look at its target: if it did not, it is made again.`;
}

/** What an answer breaks of the question. */
export function answerFaults(asked: Asked | null, answer: unknown): Fault[] {
  if (typeof answer !== "string" || !asked?.options || asked.options.includes(answer)) return [];
  return [
    {
      pointer: "/answer",
      code: "unknown_option",
      detail: `is none of the answers that are asked for: ${asked.options.join(", ")}`,
    },
  ];
}

/** How the step that waited ends: with the answer as its output, or as one that did not happen and is made anew. */
export function endedBy(
  asked: Asked,
  answer: string,
): { readonly state: "finished" | "failed"; readonly output?: unknown; readonly failure?: unknown } {
  if (asked.kind === "answer") return { state: "finished", output: { answer } };
  if (answer === outcomeOptions[0]) return { state: "finished", output: { took_effect: true, output: null } };
  return {
    state: "failed",
    failure: { code: "interrupted", detail: "It did not take effect, as people found out; it was made again." },
  };
}
