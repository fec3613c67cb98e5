import { wordsIn } from "@aos/user-texts/widget";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventReader } from "../widget/sse.ts";
import { applyEvent, emptyState, shownMessages, stateFrom } from "../widget/state.ts";
import type { Conversation, Message, StreamEvent } from "../widget/types.ts";

const conversation: Conversation = {
  conversation_id: "cnv_1",
  agent: "support",
  state: "open",
  handler: { kind: "agent", name: "support" },
  handoff: null,
  busy: false,
  sequence: 0,
  disclosure: null,
};
const message = (number: number, changes: Partial<Message> = {}): Message => ({
  message_id: `msg_${number}`,
  number,
  role: "agent",
  author: { name: "support" },
  status: "complete",
  parts: [],
  replaced_by: null,
  created_at: "2026-11-23T09:00:00.000Z",
  ...changes,
});
const text = (words: string) => ({ type: "text", text: words }) as const;

/** What is told of a reply that is written in pieces. */
const told: readonly StreamEvent[] = [
  { type: "chat.message.created", data: { message: message(1, { role: "user", parts: [text("When?")] }) } },
  { type: "chat.turn.changed", data: { turn: { state: "running" } } },
  { type: "chat.message.created", data: { message: message(2, { status: "streaming" }) } },
  { type: "chat.part.started", data: { message_id: "msg_2", index: 0, part: text("") } },
  ...["On ", "Tues", "day."].map((piece) => ({
    type: "chat.part.delta",
    data: { message_id: "msg_2", index: 0, text: piece },
  })),
  { type: "chat.part.completed", data: { message_id: "msg_2", index: 0, part: text("On Tuesday.") } },
  { type: "chat.message.completed", data: { message: message(2, { parts: [text("On Tuesday.")] }) } },
  { type: "chat.turn.changed", data: { turn: { state: "completed" } } },
].map((event, at) => ({ id: at + 1, ...event }));
const after = (count: number) => told.slice(0, count).reduce(applyEvent, stateFrom(conversation, []));

describe("the chat widget's state", () => {
  it("shows a reply as it is written", () => {
    expect(after(6).messages[1]?.parts).toEqual([text("On Tues")]);
    expect([after(6).busy, after(told.length).busy]).toEqual([true, false]);
  });

  it("comes to the same however often a connection breaks and tells again what it told", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(told.length)), (breaks) => {
        const heard = breaks.flatMap((from) => told.slice(from)).sort((a, b) => a.id - b.id);
        expect([...told, ...heard].reduce(applyEvent, stateFrom(conversation, []))).toEqual(after(told.length));
      }),
    );
  });

  it("doubles nothing where messages were read later than the conversation", () => {
    fc.assert(
      fc.property(fc.nat(told.length), fc.nat(told.length), (one, other) => {
        const [sequence, read] = [Math.min(one, other), Math.max(one, other)];
        const begun = stateFrom({ ...conversation, sequence }, after(read).messages);
        const end = told.reduce(applyEvent, begun);
        expect(end.messages).toEqual(after(told.length).messages);
        for (const { parts } of told.slice(0, read).reduce(applyEvent, begun).messages)
          for (const part of parts) expect("On Tuesday.When?").toContain((part as { text: string }).text);
      }),
    );
  });

  it("leaves out replies that others stand in for", () => {
    const state = stateFrom(conversation, [message(2, { parts: [text("b")] }), message(1, { replaced_by: "msg_2" })]);
    expect(shownMessages(state).map(({ number }) => number)).toEqual([2]);
    expect(shownMessages(emptyState)).toEqual([]);
    const notice = { type: "notice", code: "disclosure", text: "You are chatting with an AI agent." } as const;
    expect(shownMessages(stateFrom(conversation, [message(1, { role: "system", parts: [notice] })]))).toEqual([]);
  });
});

describe("the chat widget's reader of event streams", () => {
  it("reads the same events however the text is cut and its lines end", () => {
    const eol = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(eol, fc.array(fc.nat(400)), (end, cuts) => {
        const lines = told.flatMap(({ id, type, data }) => [
          `id: ${id}`,
          `event: ${type}`,
          `data: ${JSON.stringify(data)}`,
          "",
          ": ping",
          "",
        ]);
        const whole = `retry: 2000${end}${end}${lines.join(end)}${end}`;
        const places = [0, ...cuts, whole.length].sort((a, b) => a - b);
        const reader = new EventReader();
        const read = places.flatMap((place, at) => reader.read(whole.slice(places[at - 1] ?? 0, place)));
        // What ends with CR waits for the next piece: LF may follow.
        expect([...read, ...reader.read(": ping\n\n")]).toEqual(told);
      }),
    );
  });
});

describe("the chat widget's words", () => {
  it("are those of the first language that it has", () => {
    const chosen = (...tags: (string | undefined)[]) => wordsIn(...tags).language;
    expect([chosen("pt", "de-AT"), chosen(undefined, "fr"), chosen("constructor"), chosen("es-MX")]).toEqual([
      "de",
      "fr",
      "en",
      "es",
    ]);
  });

  it("have the same places for names in every language", () => {
    const places = (words: object) =>
      Object.entries(words)
        .filter(([, phrase]) => phrase.includes("{0}"))
        .map(([key]) => key);
    for (const language of ["de", "fr", "es"])
      expect(places(wordsIn(language).words)).toEqual(places(wordsIn("en").words));
  });
});
