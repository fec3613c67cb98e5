import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { incomingOf } from "./event.ts";
import { pieces } from "./send.ts";

const app = { user_id: "UAPP", team_id: "T1", bot_id: "BAPP" };
const message = {
  type: "message",
  channel: "C1",
  channel_type: "channel",
  user: "U1",
  ts: "17.1",
  text: "<@UAPP> hello",
};
const read = (event: object, { known = [] as string[], respond_to = "mentions" as "mentions" | "all" } = {}) =>
  incomingOf(
    { type: "event_callback", team_id: "T1", event: { ...message, ...event } },
    app,
    { respond_to },
    async (thread) => known.includes(thread),
  );

describe("an event of Slack", () => {
  it("is a message for the agent where it mentions the app, in its thread", async () => {
    expect(await read({})).toMatchObject({
      externalId: "T1:C1:17.1",
      thread: "T1:C1:17.1",
      text: "hello",
      user: null,
      authorId: "slack:T1:U1",
      address: { channel: "C1", thread: "17.1" },
    });
    expect(await read({ text: "hello" })).toBe(null);
    expect(await read({ text: "hello", thread_ts: "16.0" }, { known: ["T1:C1:16.0"] })).toMatchObject({
      thread: "T1:C1:16.0",
    });
    expect(await read({ text: "hello" }, { respond_to: "all" })).not.toBe(null);
  });

  it("of a direct message is one conversation with its person", async () => {
    const direct = await read({ channel: "D1", channel_type: "im", text: "hi" });
    expect(direct).toMatchObject({ thread: "T1:D1", user: "slack:T1:U1", address: { channel: "D1", thread: null } });
  });

  it("is nothing where an app has sent it, this one among them, or where it is no new message", async () => {
    for (const event of [
      { bot_id: "B2" },
      { user: "UAPP" },
      { subtype: "message_changed" },
      { subtype: "bot_message" },
      { hidden: true },
      { type: "reaction_added" },
      { ts: "now" },
      { text: "<@UAPP>" },
    ])
      expect([event, await read(event)]).toEqual([event, null]);
  });

  it("is read as it was typed", async () => {
    const text = "<@UAPP> a &lt;b&gt; &amp;amp; <https://example.com|here> <https://example.org> <#C2|general>";
    expect((await read({ text }))?.text).toBe("a <b> &amp; here (https://example.com) https://example.org general");
  });
});

it("cuts a long reply into messages that lose nothing but white space between them", () => {
  const words = fc.array(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 6_000 }), { maxLength: 6 });
  fc.assert(
    fc.property(words, (parts) => {
      const text = parts.join(" ");
      const cut = pieces(text);
      expect(cut.every((piece) => piece.length <= 3_900)).toBe(true);
      expect(cut.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
    }),
  );
});
