import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";

let ahead = 0;
const app = useApp({ clock: { now: () => Date.now() + ahead } });
const process = useWorkerProcess(app);
const resultOf = (task: string, query = "", headers: Record<string, string> = {}) =>
  app.call("GET", `/v1/tasks/${task}/result${query}`, { key: "viewer", headers });
const cancel = (task: string) => app.call("POST", `/v1/tasks/${task}/cancel`, { body: {} });
/** How long something took, in milliseconds. */
const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const began = performance.now();
  return [await work, performance.now() - began];
};

describe("the result of a task", () => {
  it("is not final while the task goes on, and is answered at once without a wish to wait", async () => {
    const { task_id } = await app.dispatch();
    const [{ status, body, headers }, took] = await timed(resultOf(task_id));
    expect([status, headers.get("preference-applied")]).toEqual([200, null]);
    expect(body).toMatchObject({
      task_id,
      status: "awaiting_approval",
      final: false,
      output: null,
      failure: null,
      files: [],
    });
    expect(took).toBeLessThan(1_000);
  });

  it("is the output of a task that completed while the caller waited, whichever process ran it", async () => {
    const { task_id } = await app.dispatch({ require_approval: false });
    const waited = resultOf(task_id, "?wait=30");
    await process.worker();
    const { body } = await waited;
    expect(body).toMatchObject({ status: "completed", final: true, failure: null, trust_score: expect.any(Number) });
    expect(body.output).toEqual((await app.call("GET", `/v1/tasks/${task_id}`)).body.output);
    expect(body.output).not.toBeNull();
  });

  it("is not told to whose key was revoked while the call waited", async () => {
    const [{ task_id }, { secret, keyId }] = [await app.dispatch(), await app.member("viewer")];
    const waited = app.call("GET", `/v1/tasks/${task_id}/result?wait=30`, { key: secret });
    let answered = false;
    void waited.then(() => {
      answered = true;
    });
    expect((await app.call("DELETE", `/v1/admin/keys/${keyId}`)).status).toBe(200);
    expect(answered).toBe(false);
    ahead += 2_000;
    await app.app.facts.refresh(); // what was known before the clock went on is too old to decide from
    expect((await cancel(task_id)).status).toBe(202);
    expect(await waited).toMatchObject({
      status: 401,
      body: { code: "unauthenticated", detail: expect.stringContaining("revoked") },
    });
  });

  it("says why there is no output", async () => {
    const { task_id } = await app.dispatch();
    const waited = resultOf(task_id, "?wait=30");
    await cancel(task_id);
    expect((await waited).body).toMatchObject({
      status: "cancelled",
      final: true,
      output: null,
      failure: { code: "cancelled" },
    });
  });

  it("waits no longer than was asked for, and says so where the header asked", async () => {
    const { task_id } = await app.dispatch();
    const [byQuery, first] = await timed(resultOf(task_id, "?wait=1"));
    const [byHeader, second] = await timed(resultOf(task_id, "", { prefer: "wait=1" }));
    expect([byQuery, byHeader].map(({ body, headers }) => [body.final, headers.get("preference-applied")])).toEqual([
      [false, null],
      [false, "wait=1"],
    ]);
    for (const took of [first, second]) expect(took).toBeGreaterThanOrEqual(950);
  });

  it("obeys the query where it and the header differ", async () => {
    const { task_id } = await app.dispatch();
    const [{ headers }, took] = await timed(resultOf(task_id, "?wait=0", { prefer: "wait=20" }));
    expect(headers.get("preference-applied")).toBeNull();
    expect(took).toBeLessThan(5_000);
  });

  it.each(["61", "-1", "soon", "1.5"])("refuses wait=%s and names the parameter", async (wait) => {
    const { task_id } = await app.dispatch();
    const { status, body } = await resultOf(task_id, `?wait=${wait}`);
    expect([status, body.errors[0].parameter]).toEqual([400, "wait"]);
  });
});

describe("reading a task with Prefer: wait", () => {
  it("answers the task as it ended", async () => {
    const { task_id } = await app.dispatch();
    const waited = app.call("GET", `/v1/tasks/${task_id}`, { headers: { prefer: "wait=30" } });
    await cancel(task_id);
    const { body, headers } = await waited;
    expect([body.status, headers.get("preference-applied")]).toEqual(["cancelled", "wait=30"]);
  });
});
