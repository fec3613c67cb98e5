import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../src/testing/app.ts";
import { auditRefOf } from "../client.ts";
import { until } from "../processes.ts";

// A process has few connections and many calls. A call that holds one must never wait for another, or all of them wait for each other.
describe("more changes at once than a process has connections", () => {
  let first: TestApp;
  let second: TestApp;
  beforeAll(async () => {
    first = await startTestApp();
    second = await startTestApp({ connectionString: first.connectionString });
  });
  afterAll(async () => {
    await second?.close();
    await first?.close();
  });

  it("are all carried out: votes on tasks of persons whom the process has not met yet", async () => {
    const tasks = await Promise.all(Array.from({ length: 60 }, (_, i) => first.dispatch({ lead_id: `ld_unmet_${i}` })));
    const shown = await Promise.all(tasks.map(({ task_id }) => first.call("GET", `/v1/approvals/${task_id}`)));
    const began = performance.now();
    const votes = await Promise.all(
      shown.map(({ body }) =>
        second.call("POST", `/v1/approvals/${body.approval_id}/approve`, { body: { digest: body.digest } }),
      ),
    );
    expect(votes.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.code])).toEqual([]);
    expect(new Set(votes.map(auditRefOf)).size).toBe(60);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("are all decided where they want the same approval, and the process stays in touch with its facts meanwhile", async () => {
    const { task_id } = await first.dispatch({ lead_id: "ld_wanted" });
    const { digest } = (await first.call("GET", `/v1/approvals/${task_id}`)).body;
    const people = await Promise.all(Array.from({ length: 60 }, () => second.member("approver")));
    const votes = await Promise.all(
      people.map(({ secret }) =>
        second.call("POST", `/v1/approvals/${task_id}/approve`, { key: secret, body: { digest } }),
      ),
    );
    const codes = votes.map(({ status, body }) => `${status} ${body.code ?? ""}`);
    expect(codes.filter((code) => code === "200 ")).toHaveLength(1);
    expect(codes.filter((code) => code === "409 already_decided")).toHaveLength(59);
  });

  it("are carried out by a worker that finds a backlog: each task at its first attempt", async () => {
    const leads = Array.from({ length: 150 }, (_, i) =>
      first.dispatch({ lead_id: `ld_backlog_${i}`, require_approval: false }),
    );
    const ids = (await Promise.all(leads)).map(({ task_id }) => task_id);
    const worker = await startTestApp({ connectionString: first.connectionString, role: "worker" });
    try {
      let left: unknown;
      const ended = async (): Promise<boolean> => {
        const { rows } = await first.pool.query(
          "select status, attempt, count(*)::int as n from tasks where id = any($1) group by status, attempt order by 1, 2",
          [ids],
        );
        left = rows;
        return rows.every(({ status }) => status !== "queued" && status !== "running");
      };
      await until("every task has ended", ended, 25_000, () => left);
      expect(left).toEqual([{ status: "failed", attempt: 1, n: 150 }]); // there are no such leads
    } finally {
      await worker.close();
    }
  });
});
