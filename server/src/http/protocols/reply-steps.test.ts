import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleMessage, exampleTurn } from "../../features/chat/example.ts";
import type { ChatEvent, Message, Part, Turn } from "../../features/chat/schemas.ts";
import { type ReplyStep, ReplyTracker } from "./reply-steps.ts";

type Told = Pick<ChatEvent, "type" | "data">;

const turn_id = "tur_01jd8x0000000000000000000t";
const message_id = exampleMessage.message_id;
const told = (type: ChatEvent["type"], data: object): Told => ({ type, data: data as ChatEvent["data"] });
const message = (status: Message["status"], parts: Part[]): Message => ({ ...exampleMessage, turn_id, status, parts });
const turn = (state: Turn["state"]): Turn => ({ ...exampleTurn, turn_id, state, reply_id: message_id });
const text = (value: string): Part => ({ type: "text", text: value });
const ended = told("chat.turn.changed", { turn: turn("completed") });

/** The text of a reply as a client puts it together that knows how to take parts back. */
function textOf(steps: readonly ReplyStep[]): string[] {
  const parts: string[] = [];
  for (const step of steps) {
    if (step.kind === "taken_back") parts.length = step.index;
    if (step.kind === "text_started") parts[step.index] ??= "";
    if (step.kind === "text") parts[step.index] += step.text;
  }
  return parts;
}

const follow = (events: readonly Told[]): ReplyStep[] => {
  const tracker = new ReplyTracker(turn_id, null);
  return events.flatMap((event) => tracker.take(event));
};

/** Events of a text that comes in pieces; some are told as a delta, some only by the whole message so far. */
function eventsOf(pieces: readonly { readonly piece: string; readonly whole: boolean }[]): Told[] {
  let said = "";
  const events = [told("chat.message.created", { message: message("streaming", []) })];
  for (const { piece, whole } of pieces) {
    const starts = said === "";
    said += piece;
    if (whole) events.push(told("chat.message.changed", { message: message("streaming", [text(said)]) }));
    else if (starts) events.push(told("chat.part.started", { message_id, index: 0, part: text(said) }));
    else events.push(told("chat.part.delta", { message_id, index: 0, text: piece }));
  }
  return [...events, told("chat.message.completed", { message: message("complete", [text(said)]) }), ended];
}

describe("a reply that is followed", () => {
  it("begins with the disclosure that was delivered before it", () => {
    const part: Part = { type: "notice", code: "disclosure", text: "You are chatting with an AI agent." };
    const notice = { ...message("complete", [part]), role: "system", turn_id: null, message_id: "msg_notice" };
    const steps = follow([
      told("chat.message.created", { message: notice }),
      ...eventsOf([{ piece: "Yes.", whole: false }]),
    ]);
    expect(steps.slice(0, 2)).toMatchObject([{ kind: "began" }, { kind: "notice", index: -1, part }]);
    expect(textOf(steps)).toEqual(["Yes."]);
  });

  it("comes to the same text however it is cut into events", () => {
    const pieces = fc.array(fc.record({ piece: fc.string({ minLength: 1 }), whole: fc.boolean() }), { minLength: 1 });
    fc.assert(
      fc.property(pieces, (cut) => {
        const steps = follow(eventsOf(cut));
        expect(textOf(steps)).toEqual([cut.map(({ piece }) => piece).join("")]);
        expect(steps.filter(({ kind }) => kind === "text_started")).toHaveLength(1);
        expect(steps.filter(({ kind }) => kind === "text_ended")).toHaveLength(1);
        expect(steps.at(-1)?.kind).toBe("ended");
      }),
    );
  });

  it("is told whole where no part was streamed", () => {
    const whole = message("complete", [text("It is on its way."), ...exampleMessage.parts.slice(1)]);
    const steps = follow([told("chat.message.created", { message: whole }), ended]);
    expect(steps.map(({ kind }) => kind)).toEqual(["began", "text_started", "text", "text_ended", "citation", "ended"]);
  });

  it("takes back what the model says again", () => {
    const steps = follow([
      told("chat.message.created", { message: message("streaming", [text("It arri")]) }),
      told("chat.message.changed", { message: message("streaming", []) }),
      told("chat.part.started", { message_id, index: 0, part: text("On Tuesday.") }),
      told("chat.message.completed", { message: message("complete", [text("On Tuesday.")]) }),
      ended,
    ]);
    expect(steps.map(({ kind }) => kind)).toContain("taken_back");
    expect(textOf(steps)).toEqual(["On Tuesday."]);
  });

  it("says once that a tool was called, and once what came of it", () => {
    const call = { type: "tool_call", call_id: "c1", tool: "search", arguments: { q: "4711" }, failure: null } as const;
    const steps = follow([
      told("chat.part.started", { message_id, index: 0, part: { ...call, state: "running", result: null } }),
      told("chat.message.created", { message: message("streaming", [{ ...call, state: "running", result: null }]) }),
      told("chat.part.completed", { message_id, index: 0, part: { ...call, state: "completed", result: ["a"] } }),
      told("chat.message.completed", {
        message: message("complete", [{ ...call, state: "completed", result: ["a"] }]),
      }),
      ended,
    ]);
    expect(steps.map(({ kind }) => kind)).toEqual(["began", "tool_call", "tool_result", "ended"]);
  });

  it("ends with its message where its turn ends first", () => {
    const created = told("chat.message.created", { message: message("streaming", [text("It")]) });
    const tracker = new ReplyTracker(turn_id, null);
    const steps = [created, ended].flatMap((event) => tracker.take(event));
    expect([steps.at(-1)?.kind, tracker.isEnding]).toEqual(["text", true]);
    const last = tracker.take(told("chat.message.completed", { message: message("complete", [text("It is.")]) }));
    expect(last.map(({ kind }) => kind)).toEqual(["text", "text_ended", "ended"]);
  });

  it("passes over other messages of its conversation", () => {
    const other = { ...message("complete", [text("Another.")]), turn_id: "tur_other", message_id: "msg_other" };
    expect(follow([told("chat.message.created", { message: other })])).toEqual([]);
  });
});
