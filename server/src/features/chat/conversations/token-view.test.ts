import { expect, it } from "vitest";
import { makeHold } from "../../../kernel/hold.ts";
import { exampleConversation, exampleMessage } from "../example.ts";
import type { Part } from "../schemas.ts";
import { seenBy } from "./view.ts";

const chat = { token: "ctk_1", user: "customer-4711", agent: "support", channel: "web", conversation: null };
const call: Part = {
  type: "tool_call",
  call_id: "1",
  tool: "secret_look_up",
  state: "completed",
  failure: null,
  arguments: { secret: "asked" },
  result: [{ secret: "answered" }],
};
const approval: Part = {
  type: "approval",
  approval_id: "apr_1",
  state: "pending",
  summary: "secret asks to run refund",
  approve_url: "https://secret.example/approvals",
};
const handoff = {
  to: "person" as const,
  member: "secret: mbr_1",
  team: "billing",
  team_title: "Billing",
  cause: "topic" as const,
  position: 2,
  opens_at: null,
  reason: "secret: rude",
  summary: "secret: owes us",
  summary_generated: true,
  requested_by: "support",
  requested_at: exampleConversation.created_at,
  taken_at: null,
};

const held = makeHold(
  { of: "kill_switch", id: "ksw_1", agent: "support", text: "The agent is paused: secret.", since: null },
  { appUrl: "https://secret.example" },
);

it("shows end users no names of tools and agents, no arguments, results, addresses of approvals, what holds the conversation, or words about them", () => {
  const told = {
    data: [{ message: { ...exampleMessage, parts: [call, approval, ...exampleMessage.parts] } }, { part: call }],
    conversation: { ...exampleConversation, handoff, held_by: held, context: { secret: 1 }, labels: ["secret"] },
  };
  expect(seenBy({}, told)).toBe(told);
  const seen = seenBy({ chat }, told);
  expect(JSON.stringify(seen)).not.toContain("secret");
  const [text, citation] = exampleMessage.parts;
  const hidden = { base: null, document_id: null, chunk_id: null };
  expect(seen.data[0]?.message?.parts.slice(2, 4)).toEqual([text, { ...citation, ...hidden }]);
  expect(seen.data[0]?.message?.author).toEqual({ kind: "agent", id: null, name: "" });
  expect(seen.conversation).toMatchObject({ title: exampleConversation.title, handoff: { to: "person" } });
});
