import { describe, expect, it } from "vitest";
import { exampleMessage, exampleTurn } from "../../features/chat/example.ts";
import type { Message, Part, Turn } from "../../features/chat/schemas.ts";
import { RunEvents } from "./ag-ui/events.ts";
import { CompletionChunks, completionOf } from "./openai/completion.ts";
import { ResponseEvents } from "./openai/response.ts";
import { type ReplyStep, ReplyTracker } from "./reply-steps.ts";
import { UiChunks } from "./ui/chunks.ts";

// What each interface makes of the same reply.

const call = { type: "tool_call", call_id: "c1", tool: "search", arguments: { q: "4711" } } as const;
const searched: Part = { ...call, state: "completed", result: { found: 1 }, failure: null };
const citation = exampleMessage.parts[1] as Extract<Part, { type: "citation" }>;
const page: Part = { ...citation, title: "Delivery", url: "https://help.example/delivery" };
const approval: Part = {
  type: "approval",
  approval_id: "apr_1",
  state: "pending",
  summary: "Refund 40 EUR.",
  approve_url: "https://ops.example/approvals/tsk_1",
};
const question: Part = { type: "notice", code: "question", text: "Which order?", options: ["4711", "4712"] };
const text: Part = { type: "text", text: "It arrives on Tuesday." };

/** The steps of a reply that ends in this state with these parts. */
function reply(state: Turn["state"], parts: Part[], failure: Turn["failure"] = null): ReplyStep[] {
  const status: Message["status"] = state === "completed" ? "complete" : state === "failed" ? "failed" : "waiting";
  const message: Message = { ...exampleMessage, status, parts };
  const turn: Turn = { ...exampleTurn, state, failure };
  const tracker = new ReplyTracker(turn.turn_id, null);
  return [
    ...tracker.take({ type: "chat.message.created", data: { message } }),
    ...tracker.take({ type: "chat.turn.changed", data: { turn } }),
  ];
}
const head = { id: "chatcmpl-1", created: 1, model: "support" };
const conversation = exampleMessage.conversation_id;
const responseHead = {
  id: "resp_1",
  created_at: 1,
  model: "support",
  conversation,
  previous_response_id: null,
  background: false,
  user: null,
  metadata: {},
};

const chunksOf = (steps: ReplyStep[]) => {
  const chunks = new CompletionChunks(head, "cnv_01jd8x0000000000000000000c", false);
  return steps.flatMap((step) => chunks.take(step)) as {
    choices?: { delta: { content?: string }; finish_reason: string | null }[];
    error?: object;
  }[];
};
const said = (steps: ReplyStep[]): string =>
  chunksOf(steps)
    .map(({ choices }) => choices?.[0]?.delta.content ?? "")
    .join("");
const responseOf = (steps: ReplyStep[]) => {
  const events = new ResponseEvents(responseHead);
  const told = steps.flatMap((step) => events.take(step)) as { type: string }[];
  const ended = steps.at(-1) as Extract<ReplyStep, { kind: "ended" }>;
  return { types: told.map(({ type }) => type), response: events.ended(ended, null), last: events.finish(ended, null) };
};
const uiOf = (steps: ReplyStep[]) => {
  const chunks = new UiChunks(conversation, null);
  return steps.flatMap((step) => chunks.take(step));
};
const runOf = (steps: ReplyStep[]) => {
  const events = new RunEvents({ threadId: "t", runId: "r", conversation }, null);
  return steps.flatMap((step) => events.take(step));
};

describe("a reply that waits for approval", () => {
  const steps = reply("awaiting_approval", [text, approval]);

  it("says in a completion that people are asked, and where, but nothing that is named inside the service", () => {
    expect(said(steps)).toBe(
      "It arrives on Tuesday.\n\nPeople who may approve are asked before this goes on. https://ops.example/approvals/tsk_1",
    );
    expect(chunksOf(steps).at(-1)?.choices?.[0]?.finish_reason).toBe("stop");
  });

  it("is a response in progress that names the approval", () => {
    const { response, last } = responseOf(steps);
    expect(response).toMatchObject({
      status: "in_progress",
      metadata: { approval: "apr_1", task: exampleTurn.task_id },
    });
    expect(last).toMatchObject({ type: "response.in_progress" });
  });

  it("is a part of its own for interfaces that have parts", () => {
    expect(uiOf(steps)).toContainEqual(expect.objectContaining({ type: "data-approval", id: "apr_1" }));
    expect(runOf(steps)).toContainEqual(expect.objectContaining({ type: "CUSTOM", name: "approval" }));
  });
});

describe("a reply that asks the user", () => {
  const steps = reply("input_required", [question]);

  it("says its question where there is only text", () => {
    expect(said(steps)).toBe("Which order? (4711, 4712)");
    expect(
      completionOf({ ...head, conversation: "cnv_01jd8x0000000000000000000c" }, steps.at(-1) as never, null, {}),
    ).toMatchObject({
      choices: [{ message: { content: "Which order? (4711, 4712)" } }],
    });
    expect(responseOf(steps).response).toMatchObject({ status: "completed", output: [{ type: "message" }] });
    expect(uiOf(steps)).toContainEqual(
      expect.objectContaining({ type: "text-delta", delta: "Which order? (4711, 4712)" }),
    );
    expect(runOf(steps)).toContainEqual(
      expect.objectContaining({ type: "TEXT_MESSAGE_CONTENT", delta: "Which order? (4711, 4712)" }),
    );
  });
});

describe("a reply that failed", () => {
  const steps = reply("failed", [{ type: "notice", code: "failed", text: "That did not work." }], {
    code: "tool_failed",
    detail: "The tool failed.",
  });

  it("is an error of each interface", () => {
    expect(chunksOf(steps)).toEqual([
      { error: expect.objectContaining({ code: "tool_failed", message: "That did not work." }) },
    ]);
    const { response, last } = responseOf(steps);
    expect([response.error, last]).toMatchObject([{ message: "That did not work." }, { type: "response.failed" }]);
    expect(uiOf(steps).at(-1)).toEqual({ type: "error", errorText: "That did not work." });
    expect(runOf(steps).at(-1)).toEqual({ type: "RUN_ERROR", message: "That did not work.", code: "tool_failed" });
  });
});

describe("what an agent did and read", () => {
  const steps = reply("completed", [searched, page, citation, text]);

  it("is a call of the service and citations in a response", () => {
    const { response, types } = responseOf(steps);
    expect(response.output).toMatchObject([
      { type: "mcp_call", name: "search", server_label: "support", arguments: '{"q":"4711"}', status: "completed" },
      { type: "message", content: [{ annotations: [{ type: "url_citation" }, { type: "file_citation" }] }] },
    ]);
    expect(types).toContain("response.mcp_call.completed");
  });

  it("is a tool with its result and sources in a UI message stream", () => {
    expect(uiOf(steps).map(({ type }) => type)).toEqual([
      "start",
      "start-step",
      "tool-input-available",
      "tool-output-available",
      "source-url",
      "source-document",
      "text-start",
      "text-delta",
      "text-end",
      "finish-step",
      "finish",
    ]);
  });

  it("is a call with its result in AG-UI", () => {
    expect(runOf(steps).map(({ type }) => type)).toEqual([
      "TOOL_CALL_START",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_END",
      "TOOL_CALL_RESULT",
      "CUSTOM",
      "CUSTOM",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
  });
});

describe("what a model says again", () => {
  const began = reply("completed", [{ type: "text", text: "On Monday" }]).slice(0, -2);
  const steps: ReplyStep[] = [
    ...began,
    { kind: "taken_back", index: 0 },
    ...reply("completed", [text]).filter(({ kind }) => kind !== "began"),
  ];

  it("takes the place of what was said, or follows it where nothing can be taken back", () => {
    const ui = uiOf(steps).map(({ type }) => type);
    expect(ui.slice(ui.indexOf("reset-step"))).toEqual([
      "reset-step",
      "text-start",
      "text-delta",
      "text-end",
      "finish-step",
      "finish",
    ]);
    expect(said(steps)).toBe("On Monday\n\nIt arrives on Tuesday.");
    const ids = runOf(steps).flatMap(({ type, messageId }) => (type === "TEXT_MESSAGE_START" ? [messageId] : []));
    expect(new Set(ids).size).toBe(2);
  });
});
