import { noticeTexts, type UserLanguage } from "@aos/user-texts";
import { handOverTool } from "../../../kernel/handoff.ts";
import { parseJson, storedJson } from "../../../kernel/stored-json.ts";
import type { ApprovalState } from "../../approvals/requests/public.ts";
import type { CallRow } from "../../tasks/public.ts";
import type { Part } from "../schemas.ts";

// The parts of a reply by what stands of its task. Each function takes the parts that are there and returns what they become: doing it twice changes nothing.

type PartOf<T extends Part["type"]> = Extract<Part, { type: T }>;
type CallState = PartOf<"tool_call">["state"];

/** A tool by which the agent asks people: its question is a notice. */
const asking = "ask";
/** Tools whose calls users see as something else: a question, or that a team answers. */
const unseen: ReadonlySet<string> = new Set([asking, handOverTool]);
const mostShown = 20_000;

/** State of a call that has no step, or whose step has not ended. */
const leftOpen = { waits: "waiting", over: "cancelled" } as const;

/**
 * Brings tool calls up to their steps, and adds those that the run did not report. Ended calls stay. `phase`: whether
 * the run waits or is over, so that open calls were broken off.
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
  const untold = calls.filter((call) => ofPart.get(call) === -1 && !unseen.has(call.name));
  return [...shown, ...untold.map((call) => callPart(call, phase))];
}

const isOpen = (state: CallState): boolean => state === "running" || state === "waiting";

const callId = ({ number }: CallRow): string => `call_${number}`;
const placeOf = (parts: readonly Part[], call: CallRow): number =>
  parts.findIndex((part) => part.type === "tool_call" && part.call_id === callId(call));

function callPart(call: CallRow, phase: keyof typeof leftOpen): PartOf<"tool_call"> {
  const given = parseJson(call.input);
  return { type: "tool_call", call_id: callId(call), tool: call.name, arguments: given, ...endOf(call, phase) };
}

const callJson = storedJson<{
  failure: PartOf<"tool_call">["failure"];
  output: Readonly<Record<string, unknown>> | null;
}>();

const ends = { finished: "completed", failed: "failed", unknown: "cancelled" } as const;

function endOf({ state, output, failure }: CallRow, phase: keyof typeof leftOpen = "over") {
  const why = callJson({ failure }, "failure");
  return {
    state: state === "started" ? leftOpen[phase] : ends[state],
    result: shownResult(output),
    failure: state === "failed" ? why : null,
  };
}

function shownResult(output: string | null): unknown {
  if (output === null) return null;
  return output.length <= mostShown ? parseJson(output) : { shortened: output.slice(0, mostShown) };
}

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

export function withApprovals(parts: readonly Part[], approvals: readonly Asked[], approve_url: string): Part[] {
  const known = new Map(approvals.map((approval) => [approval.id, approval]));
  const shown = parts.map((part): Part => {
    const approval = part.type === "approval" ? known.get(part.approval_id) : undefined;
    if (approval) known.delete(approval.id);
    return part.type === "approval" && approval ? { ...part, state: shownAs[approval.status] } : part;
  });
  const added = [...known.values()].map(
    ({ id, status, summary }): Part => ({
      type: "approval",
      approval_id: id,
      state: shownAs[status],
      summary,
      approve_url,
    }),
  );
  return [...shown, ...added];
}

export const hasAnswer = (parts: readonly Part[]): boolean =>
  parts.findLastIndex(({ type }) => type === "text") > parts.findLastIndex(({ type }) => type === "tool_call");

/** The text of an output: its `text` or `answer`, else all of it as JSON. */
export function textOfOutput(output: string | null): string {
  const value = callJson({ output }, "output");
  const said = value?.text ?? value?.answer;
  if (typeof said === "string") return said;
  return value === null ? "" : JSON.stringify(value, null, 2);
}

const ending = new Set(["failed", "policy", "rejected", "expired", "stopped", "withheld"]);

/** How a reply ended that has no answer. `abandoned`: whoever brought the functions did not return their results in time. */
export type EndStatus = "failed" | "blocked" | "rejected" | "expired" | "cancelled" | "abandoned";
const codes: Readonly<Record<EndStatus, string>> = {
  abandoned: "failed",
  failed: "failed",
  blocked: "policy",
  rejected: "rejected",
  expired: "expired",
  cancelled: "stopped",
};

export const endText = (status: EndStatus, language: UserLanguage): string => noticeTexts[language][status];

export function withEnd(parts: readonly Part[], status: EndStatus, language: UserLanguage): Part[] {
  return [...withoutEnd(parts), { type: "notice", code: codes[status], text: endText(status, language) }];
}

/** For a task that is retried. */
export const withoutEnd = (parts: readonly Part[]): Part[] =>
  parts.filter((part) => part.type !== "notice" || !ending.has(part.code));

export function withQuestion(
  parts: readonly Part[],
  { text, options }: { readonly text: string; readonly options: readonly string[] | null },
): Part[] {
  const last = parts.findLast((part) => part.type === "notice");
  if (last?.code === "question" && last.text === text) return [...parts];
  return [...parts, { type: "notice", code: "question", text, ...(options && { options: [...options] }) }];
}
