import { afterEach, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { scriptedModel, shownResults } from "../../../../testing/models.ts";
import { eventsOf, eventually, taskRow } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { changeFacts, underPolicy } from "../../runs/testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

const reaches = (task: string, status: string) =>
  eventually(async () => expect((await taskRow(app, task)).status).toBe(status));
const give = (task: string, answer: unknown) => app.call("POST", `/v1/tasks/${task}/input`, { body: { answer } });

/** Asks, then answers with what it was told. */
const asking = (options?: readonly string[]) =>
  scriptedModel((_turn, given) => {
    const { ask } = shownResults(given);
    if (ask !== undefined) return { text: JSON.stringify({ told: ask }) };
    return { calls: [{ tool: "ask", input: { question: "Which plan?", ...(options ? { options } : {}) } }] };
  });

/** A task whose model, one of a provider, asked. */
async function asked(options?: readonly string[]): Promise<string> {
  await changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = jsonb_set(definition || '{"model":{"provider":"openai","name":"sample-model"}}', '{skills,0,output}', '{"type":"object"}')
     where agent = 'sales'`,
    [],
  );
  const worker = await process.worker({ model: asking(options) });
  const { task_id: task } = await app.dispatch({ require_approval: false });
  await reaches(task, "input_required");
  await worker.stop(20_000);
  return task;
}

afterEach(() => app.pool.query("delete from graphile_worker._private_jobs"));

describe("giving a task what it asked for", () => {
  it("wakes it, and its run goes on with the answer as data", async () => {
    const task = await asked();
    const shown = (await app.call("GET", `/v1/tasks/${task}`)).body;
    expect(shown.question).toMatchObject({
      kind: "answer",
      text: "Which plan?",
      options: null,
      step_id: expect.stringMatching(/^stp_/),
    });
    expect(await taskRow(app, task)).toMatchObject({ lease_owner: null });
    const answered = await give(task, "The plan for teams.");
    expect(answered.status).toBe(202);
    expect(answered.body).toMatchObject({ status: "queued", question: null });
    const worker = await process.worker({ model: asking() });
    await reaches(task, "completed");
    expect((await taskRow(app, task)).output).toEqual({
      told: { from: "ask", data: { answer: "The plan for teams." } },
    });
    expect(await eventsOf(app, task)).toEqual(
      ["created", "started", "input_required", "started", "completed"].map((name) => `task.${name}`),
    );
    const { rows } = await app.pool.query("select name, state from steps where task_id = $1 order by number", [task]);
    expect(rows.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "sample-model finished",
      "ask finished",
      "sample-model finished",
    ]);
    await worker.stop(20_000);
  });

  it("takes only an answer that is asked for, where the question has options", async () => {
    const task = await asked(["basic", "team"]);
    const wrong = await give(task, "plant");
    expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ pointer: "/answer", code: "unknown_option" }]]);
    expect((await give(task, "team")).status).toBe(202);
  });

  it("is refused where it names another question than the one that is asked, and taken where it names that one", async () => {
    const task = await asked(["basic", "team"]);
    const { step_id } = (await app.call("GET", `/v1/tasks/${task}`)).body.question;
    const answer = (body: object) => app.call("POST", `/v1/tasks/${task}/input`, { body });
    const other = await answer({ answer: "Delete it.", step_id: "stp_01jd8x0000000000000000000a" });
    expect([other.status, other.body.detail]).toEqual([409, expect.stringContaining("asks something else by now")]);
    expect((await answer({ answer: "team", step_id })).status).toBe(202);
  });

  it("is refused with wrong_state where nothing was asked, or it was answered before", async () => {
    const { task_id: waiting } = await app.dispatch();
    expect((await give(waiting, "x")).body).toMatchObject({ status: 409, code: "wrong_state" });
    const task = await asked();
    expect((await give(task, "once")).status).toBe(202);
    expect((await give(task, "twice")).body).toMatchObject({ status: 409, code: "wrong_state" });
  });

  it("keeps from the model what policies keep from its runs, and puts it back into the result", async () => {
    const task = await asked();
    expect((await give(task, "Write to ann.lee@example.com.")).status).toBe(202);
    await underPolicy(
      app,
      process,
      { scope: { actions: ["task.run"] }, effect: "redact", params: { kinds: ["email"] } },
      async () => {
        const seen: string[] = [];
        const worker = await process.worker({
          model: scriptedModel((_turn, given) => {
            seen.push(JSON.stringify(given.prompt));
            return { text: JSON.stringify({ told: shownResults(given).ask }) };
          }),
        });
        await reaches(task, "completed");
        expect(seen.join()).toContain("[email_1]");
        expect(seen.join()).not.toContain("ann.lee");
        expect(JSON.stringify((await taskRow(app, task)).output)).toContain("ann.lee@example.com");
        await worker.stop(20_000);
      },
    );
  });

  it("is not needed any more where the task is cancelled", async () => {
    const task = await asked();
    expect((await app.call("POST", `/v1/tasks/${task}/cancel`, { body: {} })).status).toBe(202);
    expect((await give(task, "late")).status).toBe(409);
  });
});
