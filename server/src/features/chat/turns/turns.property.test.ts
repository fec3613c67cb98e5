import fc from "fast-check";
import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import type { TaskState } from "../../tasks/schemas.ts";
import { createTurnJob } from "./jobs/settle.ts";
import { messagesOf, send, startConversation, turnsOf } from "./turns.fixture.ts";

const app = useApp();
const machines = useWorkerProcess(app);

/** What tasks do, as a worker and people would have them do it. */
const moves: Partial<Record<TaskState, readonly TaskState[]>> = {
  queued: ["running", "blocked"],
  running: ["completed", "failed", "awaiting_approval", "input_required"],
  awaiting_approval: ["queued", "rejected"],
};
type Step =
  | { readonly does: "send"; readonly whenBusy: "queue" | "interrupt" | "reject" }
  | { readonly does: "stop"; readonly approvals: "keep" | "cancel" }
  | { readonly does: "move"; readonly task: number; readonly to: number }
  | { readonly does: "wake"; readonly times: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("move" as const), task: fc.nat(9), to: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("send" as const),
      whenBusy: fc.constantFrom("queue" as const, "queue" as const, "interrupt" as const, "reject" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("wake" as const), times: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("stop" as const),
      approvals: fc.constantFrom("keep" as const, "cancel" as const),
    }),
  },
);

const question = {
  step_id: "stp_1",
  kind: "answer",
  text: "Which?",
  options: null,
  asked_at: new Date().toISOString(),
};

/** Wake-ups for all tasks that there were, so many times each. */
async function wake(conversation: string, times = 1): Promise<void> {
  const { rows } = await app.pool.query<{ id: string }>("select id from tasks where conversation = $1", [conversation]);
  const settle = createTurnJob({ inside: machines.inside });
  const hints = Array.from({ length: times }, () => [...rows, { id: null }]).flat();
  await Promise.all(hints.map(({ id }) => settle({ ...app.scope, conversation, task: id })));
}

/** Lets a task go on; a second time by the same arguments it may do another thing. */
async function move(conversation: string, task: number, to: number): Promise<boolean> {
  const { rows } = await app.pool.query<{ id: string; status: TaskState }>(
    "select id, status from tasks where conversation = $1 and status in ('queued', 'running', 'awaiting_approval') order by id",
    [conversation],
  );
  const chosen = rows[task % Math.max(1, rows.length)];
  const open = chosen && moves[chosen.status];
  if (!chosen || !open) return false;
  const status = open[to % open.length] as TaskState;
  const output = status === "completed" ? '{"text":"Yes."}' : null;
  await app.pool.query("update tasks set status = $2, output = $3, question = $4, updated_at = now() where id = $1", [
    chosen.id,
    status,
    output,
    status === "input_required" ? JSON.stringify(question) : null,
  ]);
  return true;
}

async function take(conversation: string, one: Step): Promise<void> {
  if (one.does === "wake") await wake(conversation, one.times);
  if (one.does === "move") await move(conversation, one.task, one.to);
  if (one.does === "stop") {
    const body = { approvals: one.approvals };
    expect((await app.call("POST", `/v1/chat/conversations/${conversation}/stop`, { body })).status).toBe(200);
  }
  if (one.does !== "send") return;
  const { status } = await send(app, conversation, "Hello?", { when_busy: one.whenBusy });
  expect(one.whenBusy === "reject" ? [202, 409] : [202]).toContain(status);
}

/** At most one turn runs, and none has begun before an earlier one that is not over. */
async function holds(conversation: string): Promise<void> {
  const turns = await turnsOf(app, conversation);
  expect(turns.filter(({ state }) => state === "running").length).toBeLessThanOrEqual(1);
  const waiting = turns.findIndex(({ state, task_id }) => state === "queued" && task_id === null);
  if (waiting !== -1) expect(turns.slice(waiting).every(({ task_id }) => task_id === null)).toBe(true);
}

/** Everybody does their work until nothing is left to do. */
async function drain(conversation: string): Promise<void> {
  for (let left = 60; left > 0; left--) {
    await wake(conversation);
    const turns = await turnsOf(app, conversation);
    if (turns.every(({ state }) => ["completed", "failed", "blocked", "stopped"].includes(state))) return;
    if (!(await move(conversation, 0, 0))) await send(app, conversation, "The first one.");
  }
  throw new Error(`the turns of ${conversation} do not end`);
}

it("keeps the order of messages and answers each once, whatever happens meanwhile", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const conversation = await startConversation(app);
      for (const one of steps) {
        await take(conversation, one);
        await holds(conversation);
      }
      await drain(conversation);
      const [turns, messages] = [await turnsOf(app, conversation), await messagesOf(app, conversation)];
      expect(messages.every(({ status }) => ["complete", "stopped", "failed"].includes(status))).toBe(true);
      for (const turn of turns) {
        const replies = messages.filter(({ role, turn_id }) => role === "agent" && turn_id === turn.turn_id);
        expect(replies.map(({ message_id }) => message_id)).toEqual(turn.reply_id === null ? [] : [turn.reply_id]);
        if (turn.state !== "completed") continue;
        expect(replies[0]?.parts.filter(({ type }) => type === "text")).toEqual([{ type: "text", text: "Yes." }]);
      }
      const { rows: events } = await app.pool.query<{ sequence: number; type: string; data: string }>(
        "select sequence, type, data from chat_events where conversation = $1 order by sequence",
        [conversation],
      );
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, at) => at + 1));
      const ended = events.filter(({ type }) => type === "chat.message.completed").map(({ data }) => JSON.parse(data));
      const ids = ended.map(({ message }) => message.message_id);
      expect(ids.sort()).toEqual(turns.flatMap(({ reply_id }) => reply_id ?? []).sort());
    }),
    { numRuns: 8 },
  );
});
