import { describe, expect, it } from "vitest";
import type { Sweep } from "../../../../kernel/machines.ts";
import { useApp } from "../../../../testing/app.ts";
import { insideRecordsOf, taskRow } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { ask, decisionsOf, endAt, eventsAbout, roundsOf, stateOf } from "../../testing.ts";
import { expireApprovals } from "../sweep.ts";
import { expireApproval } from "./expire-approval.ts";

let stopped: number | null = null;
const app = useApp({ clock: { now: () => stopped ?? Date.now() } });
const machines = useWorkerProcess(app);

const sweep = (...sweeps: Sweep[]) => machines.sweeperWith(sweeps).sweep();
const anHourAgo = () => new Date(Date.now() - 3_600_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);
const approve = (id: string, key = "approver") => app.call("POST", `/v1/approvals/${id}/approve`, { key, body: {} });

describe("an approval that nobody decides in time", () => {
  it("expires with its task, which never looks like a person's refusal", async () => {
    const task_id = await ask(app);
    const at = anHourAgo();
    await endAt(app, task_id, at, "reject");
    await sweep(expireApprovals);
    const events = ["task.created", "task.approval_required", "task.expired"];
    expect(await stateOf(app, task_id)).toMatchObject({
      status: "expired",
      approval: "expired",
      votes: 0,
      events,
      jobs: 0,
    });
    expect((await taskRow(app, task_id)).failure).toEqual({
      code: "approval_expired",
      detail: expect.stringMatching(new RegExp(`^Nobody had decided by ${at.toISOString()}\\. No person refused it`)),
    });
    expect(await decisionsOf(app, task_id)).toEqual([]);
    expect(await roundsOf(app, task_id)).toMatchObject([
      { status: "expired", decided_by: "system:sweeper", revision: 2, reason: "Nobody decided in time." },
    ]);
    expect(await insideRecordsOf(app, task_id)).toEqual(["approvals.expireApproval allowed"]);
    expect(await approve(task_id)).toMatchObject({
      status: 409,
      body: { code: "already_decided", approval_status: "expired", decided_by: "system:sweeper" },
    });
  });

  it("goes to the admins where that was asked for, waits on, and is never approved", async () => {
    const task_id = await ask(app);
    await endAt(app, task_id, anHourAgo(), "escalate");
    await sweep(expireApprovals);
    await sweep(expireApprovals);
    expect(await stateOf(app, task_id)).toMatchObject({ status: "awaiting_approval", approval: "pending", jobs: 0 });
    const { body } = await app.call("GET", `/v1/approvals/${task_id}`, { key: "approver" });
    expect(body).toMatchObject({
      escalated_by: { id: "system:sweeper", kind: "system" },
      expires_at: null,
      on_expiry: null,
      if_undecided: { outcome: "waits" },
      may_decide: { allowed: false, code: "escalated" },
    });
    expect(await eventsAbout(app, "approval.escalated", task_id)).toMatchObject([
      { by: "system:sweeper", reason: expect.stringContaining("Nobody had decided by") },
    ]);
    expect(await approve(task_id)).toMatchObject({ status: 403, body: { code: "escalated" } });
    expect((await approve(task_id, "admin")).body).toMatchObject({ status: "approved" });
  });

  it("is left alone before its time, without one, and once it is decided", async () => {
    const [early, without, decided] = [await ask(app), await ask(app), await ask(app)];
    await endAt(app, early, inAnHour(), "reject");
    await endAt(app, decided, anHourAgo(), "reject");
    await app.pool.query("update approvals set status = 'approved' where task_id = $1", [decided]);
    await sweep(expireApprovals);
    for (const [id, status] of [
      [early, "pending"],
      [without, "pending"],
      [decided, "approved"],
    ] as const) {
      expect((await stateOf(app, id)).approval).toBe(status);
      const { approval_id } = (await app.call("GET", `/v1/approvals/${id}`)).body;
      await expect(machines.inside(expireApproval, app.scope, { approval: approval_id })).rejects.toMatchObject({
        type: { code: "wrong_state" },
      });
    }
  });

  it("counts as over from the very moment on, whether or not that was noted yet", async () => {
    const now = Date.now();
    const [rejects, escalates] = [await ask(app), await ask(app)];
    await endAt(app, rejects, new Date(now), "reject");
    await endAt(app, escalates, new Date(now), "escalate");
    const codes = async () => {
      const shown = await Promise.all(
        [rejects, escalates].map(
          async (id) => (await app.call("GET", `/v1/approvals/${id}`, { key: "approver" })).body.may_decide.code,
        ),
      );
      const mine = (await app.call("GET", "/v1/approvals?mine=true&limit=100", { key: "approver" })).body.data.map(
        ({ task_id }: { task_id: string }) => task_id,
      );
      return [...shown, mine.includes(rejects), mine.includes(escalates)];
    };
    try {
      stopped = now - 1;
      expect(await codes()).toEqual([null, null, true, true]);
      stopped = now;
      expect(await codes()).toEqual(["already_decided", "escalated", false, false]);
      const late = await approve(rejects);
      expect(late).toMatchObject({
        status: 409,
        body: {
          code: "already_decided",
          approval_status: "expired",
          decided_by: null,
          decided_at: new Date(now).toISOString(),
        },
      });
      expect(await approve(escalates)).toMatchObject({ status: 403, body: { code: "escalated" } });
      expect((await approve(escalates, "admin")).body).toMatchObject({ status: "approved" });
      stopped = now - 1;
      expect((await approve(rejects)).body).toMatchObject({ status: "approved" });
    } finally {
      stopped = null;
    }
  });

  it("keeps no other from its turn where one cannot be ended", async () => {
    const [broken, sound] = [await ask(app), await ask(app)];
    await endAt(app, broken, new Date(Date.now() - 7_200_000), "reject");
    await endAt(app, sound, anHourAgo(), "reject");
    await app.pool.query("update tasks set status = 'queued' where id = $1", [broken]);
    await sweep(expireApprovals);
    expect([(await stateOf(app, broken)).approval, (await stateOf(app, sound)).approval]).toEqual([
      "pending",
      "expired",
    ]);
  });

  it.each(["reject", "escalate"] as const)(
    "is closed where its task has come to an end already, and was to %s",
    async (onExpiry) => {
      const task_id = await ask(app);
      await endAt(app, task_id, anHourAgo(), onExpiry);
      await app.pool.query("update tasks set status = 'failed' where id = $1", [task_id]);
      await sweep(expireApprovals);
      const events = ["task.created", "task.approval_required"];
      expect(await stateOf(app, task_id)).toMatchObject({
        status: "failed",
        approval: "expired",
        failure: null,
        events,
      });
      expect(await eventsAbout(app, "approval.escalated", task_id)).toEqual([]);
    },
  );

  it("has one outcome, whoever edits, approves and ends it at the same moment", async () => {
    for (let round = 0; round < 8; round++) {
      const task_id = await ask(app);
      const at = Date.now() + 30;
      await endAt(app, task_id, new Date(at), "reject");
      const { approval_id } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
      const sweeps = async (): Promise<void> => {
        while (Date.now() <= at) await sweep(expireApprovals);
        await sweep(expireApprovals);
      };
      const [edited, approved] = await Promise.all([
        app.call("POST", `/v1/approvals/${approval_id}/approve`, {
          key: "approver",
          body: { edits: { lead_id: "ld_1002" } },
        }),
        app.call("POST", `/v1/approvals/${approval_id}/approve`, { body: {} }),
        sweeps(),
      ]);
      const took = [edited, approved].filter(({ status }) => status === 200);
      expect([edited.status, approved.status].every((status) => status === 200 || status === 409)).toBe(true);
      const rounds = await roundsOf(app, task_id);
      const ends = rounds.map(({ status }) => status);
      const { status, jobs } = await stateOf(app, task_id);
      if (took.length === 0) expect([status, jobs, ends]).toEqual(["expired", 0, ["expired"]]);
      else
        expect([status, jobs, took.length, ends]).toEqual([
          "queued",
          1,
          1,
          edited.status === 200 ? ["superseded", "approved"] : ["approved"],
        ]);
    }
  });
});
