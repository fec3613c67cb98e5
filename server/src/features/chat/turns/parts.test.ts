import { describe, expect, it } from "vitest";
import type { CallRow } from "../../tasks/public.ts";
import type { Part } from "../schemas.ts";
import { hasAnswer, textOfOutput, withApprovals, withCalls, withEnd, withoutEnd, withQuestion } from "./parts.ts";

const call = (number: number, changes: Partial<CallRow> = {}): CallRow => ({
  id: `stp_${number}`,
  number,
  name: "find_order",
  state: "finished",
  input: '{"id":1}',
  output: '{"found":true}',
  failure: null,
  seal: null,
  ...changes,
});
const told = (number: number, state: "running" | "completed"): Part => ({
  type: "tool_call",
  call_id: `call_${number}`,
  tool: "find_order",
  arguments: { id: "ana" },
  state,
  result: null,
  failure: null,
});

describe("the calls of a reply", () => {
  it("are added where the run told of none, and stay as it told of them", () => {
    expect(withCalls([], [call(2)], "over")).toMatchObject([
      { call_id: "call_2", state: "completed", result: { found: true } },
    ]);
    const parts = [told(2, "completed"), told(4, "running")];
    expect(withCalls(parts, [call(2), call(4)], "over")).toEqual([
      told(2, "completed"),
      expect.objectContaining({ arguments: { id: "ana" }, state: "completed", result: { found: true } }),
    ]);
  });

  it("are cancelled where the run ended before they did, and wait while it waits", () => {
    const open = [call(2, { state: "started", output: null }), call(4, { state: "unknown", output: null })];
    const states = (phase: "waits" | "over") =>
      withCalls([told(6, "running")], open, phase).map((part) => part.type === "tool_call" && part.state);
    expect(states("over")).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(states("waits")).toEqual(["waiting", "waiting", "cancelled"]);
  });

  it("show no more of a result than a message has room for", () => {
    const [part] = withCalls([], [call(2, { output: JSON.stringify("x".repeat(30_000)) })], "over");
    expect(part).toMatchObject({ result: { shortened: expect.stringMatching(/^"x{19999}$/) } });
  });
});

it("shows how approvals stand, each once", () => {
  const asked = withApprovals([], [{ id: "apr_1", status: "pending", summary: "Send it?" }], "http://here");
  const approved = [{ id: "apr_1", status: "consumed" as const, summary: "Send it?" }];
  expect(withApprovals(asked, approved, "http://here")).toMatchObject([{ approval_id: "apr_1", state: "approved" }]);
});

it("says once how it ended or what is asked, and takes an end back", () => {
  const text: Part = { type: "text", text: "Well" };
  const ended = withEnd(withEnd([text], "failed", "en"), "failed", "de");
  expect(ended).toMatchObject([text, { type: "notice", code: "failed" }]);
  expect(withoutEnd(ended)).toEqual([text]);
  const asked = withQuestion([text], { text: "Which?", options: ["a", "b"] });
  expect(withQuestion(asked, { text: "Which?", options: ["a", "b"] })).toEqual(asked);
});

it("knows an answer by the text after the last call", () => {
  expect(hasAnswer([{ type: "text", text: "I look it up." }, told(2, "completed")])).toBe(false);
  expect(hasAnswer([told(2, "completed"), { type: "text", text: "Yes." }])).toBe(true);
  expect([textOfOutput('{"answer":"Yes."}'), textOfOutput('{"a":1}'), textOfOutput(null)]).toEqual([
    "Yes.",
    '{\n  "a": 1\n}',
    "",
  ]);
});
