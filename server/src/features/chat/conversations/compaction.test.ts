import fc from "fast-check";
import { expect, it } from "vitest";
import { compactable, quotedSummary } from "./compaction.ts";
import type { MessageRow } from "./message-store.ts";
import { historyOf } from "./transcript.ts";

const status = fc.constantFrom<MessageRow["status"]>(
  "complete",
  "complete",
  "complete",
  "retracted",
  "failed",
  "streaming",
);
const body = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.constantFrom("word ".repeat(2_000), "言".repeat(900)),
);
const conversations = fc.array(fc.record({ status, body, summary: fc.boolean() }), { maxLength: 40 }).map((given) =>
  given.map(({ status, body, summary }, at) => {
    const covers = summary && at > 2 && status === "complete" ? at - 1 : null;
    return {
      id: `msg_${at}`,
      number: at + 1,
      role: covers === null ? (at % 2 === 0 ? "user" : "agent") : "system",
      status,
      body,
      covers_from: covers && 1,
      covers_to: covers,
      author_name: null,
      replaced_by: null,
      imported: false,
      generated: false,
      parts: JSON.stringify([{ type: "text", text: body }]),
    } as unknown as MessageRow;
  }),
);

it("summarises finished messages in a row behind the summary that stands, and nothing that was retracted", () => {
  fc.assert(
    fc.property(conversations, fc.option(fc.nat(10), { nil: undefined }), (messages, keep) => {
      const found = compactable(messages, keep);
      if (!found) return;
      const { earlier, covered, to } = found;
      const until = messages.filter(({ number }) => number > (earlier?.covers_to ?? 0) && number <= to);
      expect(until.some((one) => one.status === "streaming")).toBe(false);
      const said = until.filter((one) => one.status !== "retracted" && one.covers_to === null);
      expect(covered).toEqual(said);
      if (keep !== undefined) {
        const left = messages.filter(
          ({ number, covers_to, status: is }) => number > to && covers_to === null && is !== "retracted",
        );
        expect(left.length).toBeGreaterThanOrEqual(keep);
      }
      expect(quotedSummary(found).length).toBeLessThanOrEqual(6_100);
    }),
  );
});

it("lets the transcript begin with the summary and go on word for word", () => {
  const messages = Array.from({ length: 8 }, (_, at) => ({
    id: `msg_${at}`,
    number: at + 1,
    role: at % 2 === 0 ? "user" : "agent",
    status: "complete",
    body: `Line ${at + 1}.`,
    covers_from: null,
    covers_to: null,
    author_name: "sales",
    replaced_by: null,
    imported: false,
    generated: false,
    parts: JSON.stringify([{ type: "text", text: `Line ${at + 1}.` }]),
  })) as unknown as MessageRow[];
  const found = compactable(messages, 2);
  expect(found?.to).toBe(6);
  const text = quotedSummary(found as NonNullable<typeof found>);
  expect(text).toBe("User: Line 1.\nsales: Line 2.\nUser: Line 3.\nsales: Line 4.\nUser: Line 5.\nsales: Line 6.");
  const parts = JSON.stringify([{ type: "text", text }]);
  const summary = { ...messages[0], number: 9, role: "system", covers_from: 1, covers_to: 6, parts } as MessageRow;
  const history = historyOf({ messages: [...messages, summary], files: new Map(), attached: [] });
  expect(history.map((one) => one.text)).toEqual([expect.stringContaining(text), "Line 7.", "Line 8."]);
});
