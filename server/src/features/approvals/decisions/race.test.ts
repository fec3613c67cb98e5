import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { ask, decisionsOf, stateOf } from "../testing.ts";

describe("many who decide at once", () => {
  const app = useSharedApp();
  const crowd = async (size: number) => {
    const secrets: string[] = [];
    for (let i = 0; i < size; i++) secrets.push((await app.member("approver")).secret);
    return secrets;
  };
  const countBy = (answers: { status: number; body: { code?: string } }[]) => {
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const name = status === 200 ? "200" : `${status} ${body.code}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };

  it("fifty persons approve one approval: one decides, the others are told by whom", async () => {
    const task_id = await ask(app);
    const secrets = await crowd(50);
    const answers = await Promise.all(
      secrets.map((key) => app.call("POST", `/v1/approvals/${task_id}/approve`, { key, body: {} })),
    );
    expect(countBy(answers)).toEqual({ "200": 1, "409 already_decided": 49 });
    const winner = answers.find(({ status }) => status === 200)?.body.decided_by.id;
    for (const { status, body } of answers)
      if (status === 409) expect(body).toMatchObject({ status: 409, approval_status: "approved", decided_by: winner });
    const state = await stateOf(app, task_id);
    expect(state).toMatchObject({ status: "queued", approval: "approved", votes: 1, jobs: 1 });
    expect(state.events.filter((type) => type === "task.approved")).toHaveLength(1);
    expect(await decisionsOf(app, task_id)).toHaveLength(1);
  });

  it("one person votes twenty times at once for an approval that needs two: the vote counts once", async () => {
    const task_id = await ask(app, { approvers: 2 });
    const [key = ""] = await crowd(1);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.call("POST", `/v1/approvals/${task_id}/approve`, { key, body: {} })),
    );
    expect(countBy(answers)).toEqual({ "200": 20 });
    expect(await stateOf(app, task_id)).toMatchObject({
      status: "awaiting_approval",
      approval: "pending",
      votes: 1,
      jobs: 0,
    });
  });

  it("half approve and half reject: one decision, and the task is what was decided", async () => {
    for (let round = 0; round < 5; round++) {
      const task_id = await ask(app);
      const secrets = await crowd(10);
      const answers = await Promise.all(
        secrets.map((key, index) => {
          const [word, body] = index % 2 === 0 ? ["approve", {}] : ["reject", { reason: "No." }];
          return app.call("POST", `/v1/approvals/${task_id}/${word}`, { key, body });
        }),
      );
      expect(countBy(answers)).toEqual({ "200": 1, "409 already_decided": 9 });
      const { status, approval, jobs, votes } = await stateOf(app, task_id);
      expect([status, approval, jobs, votes]).toEqual(
        approval === "approved" ? ["queued", "approved", 1, 1] : ["rejected", "rejected", 0, 1],
      );
    }
  });

  it("a cancellation and an approval at once: one after the other, never a fault", async () => {
    for (let round = 0; round < 10; round++) {
      const task_id = await ask(app);
      const [approved, cancelled] = await Promise.all([
        app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} }),
        app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} }),
      ]);
      expect(cancelled.status, cancelled.text).toBe(202);
      expect([200, 409], approved.text).toContain(approved.status);
      expect(await stateOf(app, task_id)).toMatchObject({ status: "cancelled", approval: "cancelled" });
    }
  });
});
