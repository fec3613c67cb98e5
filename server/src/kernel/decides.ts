import type { Exempt } from "./sealed-operation.ts";

// Which bytes a person gives by a call that can reach an agent's later work, or a call that is put before people. Who gave them is accountable for what comes of them.
// Each operation over HTTP that writes says it; there is no default.

/**
 * How whoever decided content counts among those accountable for a call.
 * A, live: always. B, in force: until a second person has looked at exactly this digest. C, reference text: where a call takes something from it that nobody
 * else reviewed. D, rules: never; the approval shows what was loosened.
 */
type Rule = "A" | "B" | "C" | "D";

/** What a call can decide. */
export const contents = {
  dispatch: { rule: "A", text: "the input of a task or of a batch's item" },
  edit: { rule: "A", text: "edited arguments, or the changed input of a task that was sent back" },
  note: { rule: "A", text: "the note that sends a call back" },
  answer: { rule: "A", text: "the answer to a question of a running task" },
  comment: { rule: "A", text: "a comment on a task that its agent reads" },
  run_input: { rule: "A", text: "the input of a run or of a repeated step, or the output of a skipped one" },
  signal: { rule: "A", text: "the data of an event that a run waits for" },
  hook_payload: { rule: "A", text: "what arrives at a hook, by way of the secret that its sender holds" },
  mission: { rule: "A", text: "a mission's goal, inputs, plan, template, decisions or added tasks" },
  message: {
    rule: "A",
    text: "a conversation's messages, history, context, fork or hand-over, or whom they come from",
  },
  agent_content: { rule: "B", text: "an agent's prompt, tools or skills, also by an import, listing or install" },
  deployment: { rule: "B", text: "the version of an agent that is live, or its canary's share and rule" },
  workflow_version: {
    rule: "B",
    text: "a workflow's steps, or the version that runs use, also of a run that is migrated",
  },
  trigger: { rule: "B", text: "a trigger's map, or a schedule's input" },
  connection: { rule: "B", text: "a connection's address, secret or provider" },
  training: { rule: "B", text: "examples, datasets, corrections, or the training that takes them up" },
  documents: { rule: "C", text: "documents, records, memories, files, or the connectors that bring them" },
  rules: { rule: "D", text: "policies, settings, gates, feedback, budgets, kill switches, monitors or scorers" },
} as const satisfies Readonly<Record<string, { readonly rule: Rule; readonly text: string }>>;

export type Content = keyof typeof contents;

/** What an operation decides: one, several, or why nothing of what it is given reaches an agent's work. */
export type Decides = Content | readonly Content[] | Exempt;

interface Declared {
  readonly id: string;
  readonly decides?: unknown;
}

const isContent = (name: unknown): name is Content => typeof name === "string" && Object.hasOwn(contents, name);

/** What a writing operation decides; null: nothing, for the reason it gives. Throws where it does not say. */
export function decidesOf({ id, decides }: Declared): readonly Content[] | null {
  if (typeof decides === "object" && decides !== null && "reason" in decides) return null;
  const named: readonly unknown[] = Array.isArray(decides) ? decides : [decides];
  if (named.length > 0 && named.every(isContent)) return named;
  throw new Error(
    `${id} does not say what its callers decide of an agent's later work: declare \`decides\` (kernel/decides.ts)`,
  );
}
