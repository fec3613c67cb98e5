import type { ApprovalState } from "../approvals/requests/public.ts";
import type { CallRow } from "../tasks/public.ts";
import type { Part } from "./schemas.ts";

// The parts of a reply by what stands of its task. Each function takes the parts that are there and returns what they become: doing it twice changes nothing.

type PartOf<T extends Part["type"]> = Extract<Part, { type: T }>;
type CallState = PartOf<"tool_call">["state"];

/** A tool by which the agent asks people: its question is a notice. */
const asking = "ask";
/** Characters of a result that a message shows. */
const mostShown = 20_000;

/** What becomes of a call that the run began to tell of and that has no step, or one that has not ended. */
const leftOpen = { waits: "waiting", over: "cancelled" } as const;

/**
 * Brings the calls of tools up to their steps, and adds those that the run did not tell of. What it told of a call that has ended stays. `phase`: whether the run waits, or is
 * over, so that what is open was broken off.
 */
export function withCalls(parts: readonly Part[], calls: readonly CallRow[], phase: "waits" | "over"): Part[] {
  const ofPart = new Map(calls.map((call) => [call, placeOf(parts, call)]));
  const told = new Map([...ofPart].map(([call, at]) => [at, call]));
  const shown = parts.map((part, at): Part => {
    if (part.type !== "tool_call" || !isOpen(part.state)) return part;
    const call = told.get(at);
    if (!call || call.state === "started") return { ...part, state: leftOpen[phase] };
    return { ...part, ...endOf(call) };
  });
  const untold = calls.filter((call) => ofPart.get(call) === -1 && call.name !== asking);
  return [...shown, ...untold.map((call) => callPart(call, phase))];
}

const isOpen = (state: CallState): boolean => state === "running" || state === "waiting";

/** How parts of calls are named, by their steps' numbers. */
const callId = ({ number }: CallRow): string => `call_${number}`;
const placeOf = (parts: readonly Part[], call: CallRow): number =>
  parts.findIndex((part) => part.type === "tool_call" && part.call_id === callId(call));

function callPart(call: CallRow, phase: keyof typeof leftOpen): PartOf<"tool_call"> {
  const given = JSON.parse(call.input) as unknown;
  return { type: "tool_call", call_id: callId(call), tool: call.name, arguments: given, ...endOf(call, phase) };
}

const ends = { finished: "completed", failed: "failed", unknown: "cancelled" } as const;

function endOf({ state, output, failure }: CallRow, phase: keyof typeof leftOpen = "over") {
  const why = failure === null ? null : (JSON.parse(failure) as PartOf<"tool_call">["failure"]);
  return {
    state: state === "started" ? leftOpen[phase] : ends[state],
    result: shownResult(output),
    failure: state === "failed" ? why : null,
  };
}

function shownResult(output: string | null): unknown {
  if (output === null) return null;
  return output.length <= mostShown ? JSON.parse(output) : { shortened: output.slice(0, mostShown) };
}

/** What a search found, as its step has it. */
interface Chunk {
  readonly id: string;
  readonly base: string;
  readonly title: string;
  readonly text: string;
  /** `cit_`, the 26 characters of the document's id, and which of its passages. */
  readonly citation: string;
}
const mostCited = 5;
const mostQuoted = 1_000;

/** Adds what the run found in knowledge and nobody cited yet: the passages that the reply quotes, and where it quotes none, all that answered the searches. */
export function withCitations(parts: readonly Part[], calls: readonly CallRow[]): Part[] {
  if (parts.some(({ type }) => type === "citation")) return [...parts];
  const searches = calls.flatMap(({ state, output }) => (state === "finished" && output ? searchesIn(output) : []));
  const reply = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const quoted = searches.flatMap(({ chunks }) => chunks).filter(({ text }) => quotes(reply, text));
  const answering = searches.flatMap(({ chunks, answered }) => (answered ? chunks : []));
  const cited = quoted.length > 0 ? quoted : answering;
  const once = [...new Map(cited.map((chunk) => [chunk.id, chunk])).values()].slice(0, mostCited);
  return [...parts, ...once.map(citation)];
}

function searchesIn(output: string): { readonly chunks: readonly Chunk[]; readonly answered: boolean }[] {
  const { chunks, answered } = (JSON.parse(output) ?? {}) as { chunks?: unknown; answered?: unknown };
  return Array.isArray(chunks) ? [{ chunks: chunks as Chunk[], answered: answered !== false }] : [];
}

/** Characters of a sentence that is no coincidence. */
const leastQuoted = 20;

/** Whether a reply says a sentence of a passage word for word. */
const quotes = (reply: string, passage: string): boolean =>
  passage.split(/(?<=[.!?…])\s+|\n+/).some((sentence) => sentence.length >= leastQuoted && reply.includes(sentence));

const citation = ({ id, base, title, text, citation: named }: Chunk): Part => ({
  ...{ type: "citation", title, quote: text.slice(0, mostQuoted), base },
  ...{ document_id: `doc_${named.slice(4, 30)}`, chunk_id: id, url: null },
});

/** An approval that the task of a turn asked for. */
export interface Asked {
  readonly id: string;
  readonly status: ApprovalState;
  readonly summary: string;
}

const shownAs: Readonly<Record<ApprovalState, PartOf<"approval">["state"]>> = {
  pending: "pending",
  approved: "approved",
  consumed: "approved",
  rejected: "rejected",
  changes_requested: "changes_requested",
  expired: "expired",
  stale: "expired",
  cancelled: "cancelled",
  superseded: "cancelled",
};

/** Brings the approvals up to how they stand, and adds those that were asked for since. */
export function withApprovals(parts: readonly Part[], approvals: readonly Asked[], approve_url: string): Part[] {
  const known = new Map(approvals.map((approval) => [approval.id, approval]));
  const shown = parts.map((part): Part => {
    const approval = part.type === "approval" ? known.get(part.approval_id) : undefined;
    if (approval) known.delete(approval.id);
    return part.type === "approval" && approval ? { ...part, state: shownAs[approval.status] } : part;
  });
  const added = [...known.values()].map(
    ({ id, status, summary }): Part => ({
      ...{ type: "approval", approval_id: id, state: shownAs[status], summary, approve_url },
    }),
  );
  return [...shown, ...added];
}

/** Whether a reply says something after the last call of a tool: what the run told of its answer. */
export const hasAnswer = (parts: readonly Part[]): boolean =>
  parts.findLastIndex(({ type }) => type === "text") > parts.findLastIndex(({ type }) => type === "tool_call");

/** The text of an output: its `text` or `answer`, else all of it as JSON. */
export function textOfOutput(output: string | null): string {
  const value = output === null ? null : (JSON.parse(output) as Readonly<Record<string, unknown>> | null);
  const said = value?.text ?? value?.answer;
  if (typeof said === "string") return said;
  return value === null ? "" : JSON.stringify(value, null, 2);
}

const ending = new Set(["failed", "policy", "rejected", "expired", "stopped", "withheld"]);

/** How a turn ended that has no answer, in words for its user. */
const endings = {
  failed: "The agent could not answer this. Send the message again, or ask for a person.",
  blocked: "This was not done: a rule of this service does not allow it.",
  rejected: "This was not done: the people who were asked did not approve it.",
  expired: "This was not done: nobody approved it in time.",
  cancelled: "This answer was stopped.",
} as const;
const codes = { failed: "failed", blocked: "policy", rejected: "rejected", expired: "expired", cancelled: "stopped" };

export const endText = (status: keyof typeof endings): string => endings[status];

/** Ends a reply with why there is no (whole) answer. */
export function withEnd(parts: readonly Part[], status: keyof typeof endings): Part[] {
  return [...withoutEnd(parts), { type: "notice", code: codes[status], text: endings[status] }];
}

/** Takes that back: its task is tried again. */
export const withoutEnd = (parts: readonly Part[]): Part[] =>
  parts.filter((part) => part.type !== "notice" || !ending.has(part.code));

/** Puts the question to the user that the run waits for. */
export function withQuestion(
  parts: readonly Part[],
  { text, options }: { readonly text: string; readonly options: readonly string[] | null },
): Part[] {
  const last = parts.findLast((part) => part.type === "notice");
  if (last?.code === "question" && last.text === text) return [...parts];
  return [...parts, { type: "notice", code: "question", text, ...(options && { options: [...options] }) }];
}
