import { describe, expect, it } from "vitest";
import type { Part } from "../schemas.ts";
import { blocksOf, unsent } from "./delivery-text.ts";
import { composeMail } from "./email/compose.ts";

const blocks = (...parts: Part[]) => blocksOf({ id: "msg_1", parts: JSON.stringify(parts) }, "en");
const question: Part = { type: "notice", code: "question", text: "Which plan?", options: ["small", "large"] };
const citation = (url: string | null): Part => ({
  type: "citation",
  title: "Delivery",
  quote: "Three days.",
  base: "help",
  url,
  document_id: null,
  chunk_id: null,
});

describe("a reply that goes out by a channel", () => {
  it("says its text, questions and sources, and neither tool calls nor what is on each message anyway", () => {
    const call = {
      call_id: "1",
      tool: "find",
      arguments: { secret: 1 },
      state: "completed",
      result: 2,
      failure: null,
    } as const;
    const disclosure: Part = { type: "notice", code: "disclosure", text: "An agent." };
    const said = blocks(
      disclosure,
      { type: "tool_call", ...call },
      { type: "text", text: " Soon. " },
      question,
      citation("https://x.example"),
      citation("https://x.example"),
    );
    expect(said.map(({ text }) => text)).toEqual([
      "Soon.",
      "Which plan?\n- small\n- large",
      "Sources:\n- Delivery (https://x.example)",
    ]);
  });

  it("names in the user's language that it waits and what it rests on, and not what is asked inside", () => {
    const approval: Part = {
      type: "approval",
      approval_id: "apr_1",
      state: "pending",
      summary: "live asks to run refund",
      approve_url: "https://ops.example/approvals/1",
    };
    const said = blocksOf({ id: "msg_1", parts: JSON.stringify([approval, citation(null)]) }, "de");
    expect(said.map(({ text }) => text)).toEqual([
      "Den nächsten Schritt muss ein Mensch freigeben.",
      "Quellen:\n- Delivery",
    ]);
  });

  it("is only what was not sent before", () => {
    const first = blocks(question);
    const then = blocks({ type: "text", text: "The small one." });
    const told = first.map(({ digest }) => digest);
    expect(unsent([...first, ...then], told)).toEqual(then);
    expect(blocksOf({ id: "msg_2", parts: JSON.stringify([question]) }, "en")[0]?.digest).not.toBe(told[0]);
  });

  it("is a message whose page shows the text as it stands, with no second header in a subject or an id", () => {
    const place = {
      to: "ana@example.com",
      name: "Ana",
      subject: "Re: Order",
      last: "no id",
      references: ["1@x", "a b"],
      verified: true,
    };
    const reply = {
      message: "msg_1",
      sentBefore: 1,
      blocks: blocks({ type: "text", text: "<b>1</b>\n\n2" }),
      person: null,
      disclosure: "An agent.",
    };
    const mail = composeMail({ address: "help@example.org", imap: { host: "i" }, smtp: { host: "s" } }, place, reply);
    expect(mail).toMatchObject({
      subject: "Re: Order",
      messageId: "<msg_1.1@example.org>",
      inReplyTo: null,
      references: ["<1@x>"],
    });
    expect(mail.text).toBe("<b>1</b>\n\n2\n\n-- \nAn agent.");
    expect(mail.html).toContain("<p>&lt;b&gt;1&lt;/b&gt;</p>\n<p>2</p>");
  });
});
