import { describe, expect, it, vi } from "vitest";
import { startTestApp } from "../../../../testing/app.ts";
import { type Heard, openEvents } from "../../../../testing/sse.ts";

describe("a process that is told to stop", () => {
  it("answers those who wait and ends the streams of those who follow, and is gone at once", async () => {
    const app = await startTestApp();
    const { task_id } = await app.dispatch();
    const heard: Heard[] = [];
    const stream = await openEvents(`${app.url}/v1/tasks/${task_id}/events`, app.key("viewer"));
    const told = (async () => {
      for await (const part of stream) heard.push(part);
    })();
    const waits = ["/result?wait=60", ""].map((path) =>
      app.call("GET", `/v1/tasks/${task_id}${path}`, { headers: { prefer: "wait=60" } }),
    );
    const events = () =>
      app.pool.query("select from audit_records where body::json ->> 'operation' = 'tasks.listTaskEvents'");
    await vi.waitFor(async () => expect([heard.length, (await events()).rowCount]).toEqual([3, 1]));
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect((await Promise.all(waits)).map(({ status, body }) => [status, body.status])).toEqual([
      [200, "awaiting_approval"],
      [200, "awaiting_approval"],
    ]);
    await told;
    expect(heard.map(({ id }) => id)).toEqual([undefined, "1", "2"]);
  });
});
