import { expect, it } from "vitest";
import type { ChatEvent, Conversation, Message } from "../../api/chat-types.ts";
import { told, transcriptOf, withEarlier } from "./state.ts";

const conversation = { conversation_id: "cnv_1", busy: false, title: null } as Conversation;
const message = (number: number, more: Partial<Message> = {}): Message =>
  ({ message_id: `msg_${number}`, number, role: "agent", status: "complete", parts: [], ...more }) as Message;
const text = (words: string) => [{ type: "text" as const, text: words }];
const delta = (sequence: number, words: string): ChatEvent => ({
  sequence,
  type: "chat.part.delta",
  data: { message_id: "msg_2", index: 0, text: words },
});
const created = (sequence: number): ChatEvent => ({
  sequence,
  type: "chat.message.created",
  data: { message: message(2, { status: "streaming", parts: [{ type: "text", text: "" }] }) },
});

it("writes a reply delta by delta, and keeps messages in the order of their numbers", () => {
  const events = [created(5), delta(6, "On its "), delta(7, "way.")];
  const { messages } = events.reduce(told, transcriptOf(conversation, [message(3), message(1)]));
  expect(messages.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(messages[1]?.parts).toEqual(text("On its way."));
});

it("doubles nothing of a reply that was being written when it was read: its events come again from its beginning", () => {
  const opened = transcriptOf(conversation, [message(2, { status: "streaming", parts: text("On its") })]);
  const late = told(opened, delta(6, " its"));
  expect(late.messages[0]?.parts).toEqual(text("On its"));
  const { messages } = [created(4), delta(5, "On"), delta(6, " its"), delta(7, " way.")].reduce(told, late);
  expect(messages[0]?.parts).toEqual(text("On its way."));
});

it("keeps what a stream says of a message when earlier ones are read", () => {
  const now = transcriptOf(conversation, [message(2, { parts: text("new") })]);
  const { messages } = withEarlier(now, [message(2, { parts: text("old") }), message(1)]);
  expect(messages.map(({ number, parts }) => [number, parts])).toEqual([
    [1, []],
    [2, text("new")],
  ]);
});

it("is busy while a turn runs, whatever happens to those that wait", () => {
  const turn = (sequence: number, turn_id: string, state: string) =>
    ({ sequence, type: "chat.turn.changed", data: { turn: { turn_id, state } } }) as ChatEvent;
  const steps = [
    turn(1, "a", "running"),
    turn(2, "b", "queued"),
    turn(3, "b", "stopped"),
    turn(4, "a", "awaiting_approval"),
  ];
  const seen: boolean[] = [];
  steps.reduce(
    (transcript, event) => {
      const next = told(transcript, event);
      seen.push(next.conversation.busy);
      return next;
    },
    transcriptOf(conversation, []),
  );
  expect(seen).toEqual([true, true, true, false]);
});
