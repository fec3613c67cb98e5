import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { beforeAll, describe, expect, it } from "vitest";
import { changeFacts } from "../features/tasks/runs/testing.ts";
import { useApp } from "../testing/app.ts";
import { scriptedModel } from "../testing/models.ts";
import { taskRow } from "../testing/tasks.ts";
import { useWorkerProcess } from "../testing/worker.ts";

// Whatever a model says, its task ends: what no row or record can hold is refused in words, not by a fault that wakes workers again and again.

const app = useApp();
const process = useWorkerProcess(app);

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const texts: Readonly<Record<string, string>> = {
  "a NUL": '{"done": "\\u0000"}',
  "a lone surrogate": '{"done": "\\ud800"}',
  "a number beyond a double": '{"done": 1e400}',
  "nesting of two thousand levels": `{"done": ${nested(2_000)}}`,
  "nesting of a hundred levels": `{"done": ${nested(100)}}`,
  "a name given twice": '{"done": 1, "done": 2}',
  "a name that objects have": '{"__proto__": {"polluted": true}, "constructor": 1}',
  "no JSON": "\u0000\ud800",
};

beforeAll(async () => {
  const skill = { tools: ["get_lead"], output: { type: "object" }, input: { type: "object" } };
  await changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb,
       'skills', jsonb_build_array((definition -> 'skills' -> 0) || $1::jsonb)) where agent = 'sales'`,
    [JSON.stringify(skill)],
  );
});

/** The steps of a task, of these kinds, as callers read them; nothing went wrong that the service would have to report. */
async function expectReadable(task: string, kinds: readonly string[]): Promise<{ failure: { code: string } | null }[]> {
  expect(process.faults.splice(0)).toEqual([]);
  const { status, body } = await app.call("GET", `/v1/tasks/${task}/steps`);
  expect([status, body.data.map(({ kind }: { kind: string }) => kind)]).toEqual([200, kinds]);
  return body.data;
}

describe("a model that answers", () => {
  it.each(Object.entries(texts))("with %s is told so once, and its task fails", async (_what, text) => {
    const { task_id } = await app.dispatch({ require_approval: false });
    process.say(scriptedModel(() => ({ text })));
    await process.handed()(task_id);
    expect(await taskRow(app, task_id)).toMatchObject({ status: "failed", failure: { code: "output_invalid" } });
    await expectReadable(task_id, ["model", "model"]);
  });

  it("with an object that callers could send is taken at its word", async () => {
    const { task_id } = await app.dispatch({ require_approval: false });
    process.say(scriptedModel(() => ({ text: `{"done": ${nested(30)}, "text": "größer\\n信頼"}` })));
    await process.handed()(task_id);
    expect(await taskRow(app, task_id)).toMatchObject({ status: "completed", output: { text: "größer\n信頼" } });
  });
});

/** Says what a server that speaks a provider's interface could say. */
const calling = (input: string, usage: number): LanguageModelV4StreamPart[] => [
  { type: "stream-start", warnings: [] },
  { type: "tool-call", toolCallId: "call_1", toolName: `get_lead\0${"x".repeat(100)}`, input },
  { type: "tool-call", toolCallId: "call_2", toolName: "get_lead", input },
  { type: "tool-call", toolCallId: "call_3", toolName: "ask", input },
  {
    type: "finish",
    finishReason: { unified: "tool-calls", raw: undefined },
    usage: {
      inputTokens: { total: usage, noCache: usage, cacheRead: usage, cacheWrite: usage },
      outputTokens: { total: usage, text: usage, reasoning: 0 },
    },
  },
];

const streamOf = (parts: readonly LanguageModelV4StreamPart[]) =>
  new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });

const callingOnce = (input: string, usage: number) =>
  scriptedModel((turn) => (turn > 1 ? { text: '{"done": true}' } : { stream: streamOf(calling(input, usage)) }));

describe("a model that calls tools", () => {
  it.each(Object.entries(texts))("with %s is told what is wrong with it, and goes on", async (_what, text) => {
    const { task_id } = await app.dispatch({ require_approval: false });
    process.say(callingOnce(text, 5));
    await process.handed()(task_id);
    expect(await taskRow(app, task_id)).toMatchObject({ status: "completed", output: { done: true } });
    const steps = await expectReadable(task_id, ["model", "tool", "tool", "tool", "model"]);
    expect(steps.map(({ failure }) => failure?.code ?? null)).toEqual([
      null,
      "unknown_tool",
      "invalid_arguments",
      "invalid_arguments",
      null,
    ]);
  });

  it.each([1.5, -1e6, Number.NaN])("and says that it used %d tokens is not believed", async (usage) => {
    const { task_id } = await app.dispatch({ require_approval: false });
    process.say(callingOnce("{}", usage));
    await process.handed()(task_id);
    expect(await taskRow(app, task_id)).toMatchObject({ status: "completed" });
    const { body } = await app.call("GET", `/v1/tasks/${task_id}`);
    expect(Number.isInteger(body.tokens)).toBe(true);
    expect(body.tokens).toBeGreaterThanOrEqual(15);
  });
});
