import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Worker } from "../../../runtime/index.ts";
import { useApp } from "../../../testing/app.ts";
import { type ScriptedTurn, scriptedModel } from "../../../testing/models.ts";
import { approve, eventually, leaseOn, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts } from "./testing.ts";

// Nothing of a paused task starts, whichever way it would.

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);
const lookUp: ScriptedTurn = { calls: [{ tool: "get_lead", input: { lead_id: "ld_1001" } }] };

let worker: Worker | undefined;
beforeEach(() =>
  changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = definition || '{"model":{"provider":"openai","name":"sample-model"}}'::jsonb
       || jsonb_build_object('skills', jsonb_build_array((definition -> 'skills' -> 0) || '{"output":{"type":"object"}}')) where agent = $1`,
    ["sales"],
  ),
);
afterEach(async () => {
  await worker?.stop(20_000);
  worker = undefined;
});

const act = async (task: string, verb: "pause" | "resume" | "cancel") => {
  const { status, text } = await app.call("POST", `/v1/tasks/${task}/${verb}`, { body: {} });
  expect(status, text).toBeLessThan(300);
};
const queued = async () => (await app.dispatch({ require_approval: false })).task_id;
const reaches = (task: string, status: string) =>
  eventually(async () => expect((await taskRow(app, task)).status).toBe(status));
/** Waits until the worker has given the paused task back. */
const isHeld = (task: string) =>
  eventually(async () => {
    const { rows } = await app.pool.query("select status, paused_at from tasks where id = $1", [task]);
    expect(rows[0]).toMatchObject({ status: "queued", paused_at: expect.any(Date) });
  });
const stepsOf = async (task: string) =>
  (await app.pool.query("select kind, state from steps where task_id = $1 order by number, id", [task])).rows.map(
    ({ kind, state }) => `${kind} ${state}`,
  );

describe("a paused task", () => {
  it("is not claimed, nor after it is approved, until it is resumed", async () => {
    const { task_id } = await app.dispatch();
    await act(task_id, "pause");
    await approve(app, task_id);
    const lease = leaseOn(app, task_id);
    expect(await process.port.isReady(lease.scope, task_id)).toBe(false);
    expect(await process.port.start(lease)).toMatchObject({ claimed: false });
    expect((await taskRow(app, task_id)).status).toBe("queued");
    await act(task_id, "resume");
    expect(await process.port.start(lease)).toMatchObject({ claimed: true });
  });

  it("loses a race for the claim against its pause", async () => {
    const task = await queued();
    const started = process.port.start(leaseOn(app, task));
    await Promise.all([started, act(task, "pause")]);
    const { status } = await taskRow(app, task);
    expect(["queued", "running"]).toContain(status);
    if (status === "running")
      expect(
        await process.port.callTool(leaseOn(app, task), {
          number: 1,
          tool: "get_lead",
          arguments: { lead_id: "ld_1001" },
        }),
      ).toMatchObject({ kind: expect.stringMatching(/later|lost/) });
  });

  it("ends the step under way, starts no other, and goes on where it stood once it is resumed", async () => {
    const task = await queued();
    const turns: number[] = [];
    const model = scriptedModel(async (turn) => {
      turns.push(turn);
      if (turn === 1) await act(task, "pause");
      return turn === 1 ? lookUp : { text: "{}" };
    });
    worker = await process.worker({ model });
    await isHeld(task);
    expect(await stepsOf(task)).toEqual(["model finished"]);
    expect((await taskRow(app, task)).attempt).toBe(0);
    await act(task, "resume");
    await reaches(task, "completed");
    expect(await stepsOf(task)).toEqual(["model finished", "tool finished", "model finished"]);
    expect(turns).toEqual([1, 2]);
  });

  it("does not complete, and does so without another turn once it is resumed", async () => {
    const task = await queued();
    let turns = 0;
    const model = scriptedModel(async () => {
      turns += 1;
      await act(task, "pause");
      return { text: "{}" };
    });
    worker = await process.worker({ model });
    await isHeld(task);
    expect(await stepsOf(task)).toEqual(["model finished"]);
    await act(task, "resume");
    await reaches(task, "completed");
    expect(turns).toBe(1);
  });

  it("asks people nothing before it is resumed", async () => {
    const task = await queued();
    const model = scriptedModel(async (turn) => {
      if (turn === 1) await act(task, "pause");
      return turn === 1 ? { calls: [{ tool: "ask", input: { question: "How much?" } }] } : { text: "{}" };
    });
    worker = await process.worker({ model });
    await isHeld(task);
    await act(task, "resume");
    await reaches(task, "input_required");
  });

  it("can be cancelled", async () => {
    const task = await queued();
    await act(task, "pause");
    await act(task, "cancel");
    expect((await taskRow(app, task)).status).toBe("cancelled");
  });
});
