import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { ask, decisionsOf, endAt, eventsAbout, roundsOf, stateOf } from "../testing.ts";

describe("what was sent back", () => {
  const app = useSharedApp();
  const input = { lead_id: "ld_1002" };
  const act = (id: string, word: string, key: string, body: Record<string, unknown>) =>
    app.call("POST", `/v1/approvals/${id}/${word}`, { key, body });
  const sendBack = (id: string, key = "approver") => act(id, "request-changes", key, { note: "The other lead." });
  const change = (id: string, body: unknown = { input }, key = "admin") =>
    app.call("PATCH", `/v1/tasks/${id}`, { key, body });
  const read = async (id: string, key = "approver") => (await app.call("GET", `/v1/approvals/${id}`, { key })).body;
  const approveShown = async (id: string, key: string) => act(id, "approve", key, { digest: (await read(id)).digest });

  it("comes back with another input as the next round, under a digest of its own and without votes", async () => {
    const task_id = await ask(app, { approvers: 2 });
    await act(task_id, "approve", (await app.member("approver")).secret, {});
    const first = await read(task_id);
    await sendBack(task_id);
    expect(await change(task_id)).toMatchObject({ status: 200, body: { status: "awaiting_approval", input } });
    const second = await read(task_id);
    expect(second).toMatchObject({
      status: "pending",
      round: 2,
      previous_id: first.approval_id,
      edited_by: null,
      votes: [],
      approvers: 2,
      digest_matches: true,
      action: { arguments: input },
      requester: first.requester,
    });
    expect(second.digest).not.toBe(first.digest);
    expect(await eventsAbout(app, "task.approval_required", task_id)).toHaveLength(2);
    expect(await stateOf(app, task_id)).toMatchObject({
      status: "awaiting_approval",
      event_count: 3,
      votes: 0,
      jobs: 0,
    });
  });

  it("keeps the round that was sent back as it was, note and input", async () => {
    const task_id = await ask(app);
    const first = await read(task_id);
    await sendBack(task_id);
    await change(task_id);
    expect(await read(first.approval_id)).toMatchObject({
      status: "changes_requested",
      reason: "The other lead.",
      round: 1,
      digest: first.digest,
      digest_matches: true,
      action: first.action,
      may_decide: { allowed: false, code: "already_decided" },
    });
    expect(await roundsOf(app, task_id)).toMatchObject([{ arguments: { lead_id: "ld_1001" } }, { arguments: null }]);
  });

  it("runs what was approved of the new round, after as many rounds as it takes", async () => {
    const task_id = await ask(app);
    for (const lead_id of ["ld_1002", "ld_1003"]) {
      const { digest } = await read(task_id);
      await act(task_id, "request-changes", "approver", { note: "Another one.", digest });
      await change(task_id, { input: { lead_id } });
    }
    expect((await approveShown(task_id, "approver")).body).toMatchObject({
      status: "approved",
      round: 3,
      action: { arguments: { lead_id: "ld_1003" } },
    });
    expect(await stateOf(app, task_id)).toMatchObject({ status: "queued", jobs: 1 });
    expect((await decisionsOf(app, task_id)).map(({ decision }) => decision)).toEqual([
      "changes_requested",
      "changes_requested",
      "approved",
    ]);
    expect((await roundsOf(app, task_id)).map(({ arguments: kept }) => kept?.lead_id ?? null)).toEqual([
      "ld_1001",
      "ld_1002",
      null,
    ]);
  });

  it("is not approved by who changed it in the requester's place, where another person is demanded", async () => {
    const task_id = await ask(app, { requester_allowed: false });
    const other = await app.member("admin");
    await sendBack(task_id, other.secret);
    await change(task_id, { input }, other.secret);
    expect(await read(task_id)).toMatchObject({
      round: 2,
      edited_by: { id: other.memberId },
      requester_allowed: false,
    });
    expect(await approveShown(task_id, other.secret)).toMatchObject({ status: 403, body: { code: "four_eyes" } });
    expect(await approveShown(task_id, "admin")).toMatchObject({ status: 403, body: { code: "four_eyes" } });
    expect((await approveShown(task_id, "approver")).body.status).toBe("approved");
  });

  it("takes another input only while it is sent back", async () => {
    const task_id = await ask(app);
    const before = await roundsOf(app, task_id);
    expect((await change(task_id)).status).toBe(409);
    expect(await roundsOf(app, task_id)).toEqual(before);
    await sendBack(task_id);
    const [one, two] = await Promise.all([change(task_id), change(task_id, { input: { lead_id: "ld_1003" } })]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
    expect((await roundsOf(app, task_id)).map(({ status }) => status)).toEqual(["changes_requested", "pending"]);
  });

  it("has the time to decide again that it had, or what the settings say for its risk by now, whichever is earlier", async () => {
    const task_id = await ask(app);
    const begun = Date.now() - 1_800_000;
    await endAt(app, task_id, new Date(begun + 7_200_000), "escalate", new Date(begun));
    await sendBack(task_id);
    const before = Date.now();
    await change(task_id);
    const { expires_at, on_expiry, digest } = await read(task_id);
    expect([Math.floor((Date.parse(expires_at) - before) / 60_000), on_expiry]).toEqual([120, "escalate"]);
    const brief = { expires_in_seconds: 600, on_expiry: "reject" };
    await settings({ low: brief, medium: brief, high: brief, critical: brief });
    await act(task_id, "request-changes", "approver", { note: "Again.", digest });
    await change(task_id, { input: { lead_id: "ld_1003" } });
    const last = await read(task_id);
    expect([Math.floor((Date.parse(last.expires_at) - Date.now()) / 60_000), last.on_expiry]).toEqual([9, "reject"]);
    const fresh = await read(await ask(app));
    expect([Date.parse(fresh.expires_at) - Date.parse(fresh.created_at) < 601_000, fresh.on_expiry]).toEqual([
      true,
      "reject",
    ]);
    await settings({});
  });

  it.each([
    ["reject", [120, "reject"]],
    ["escalate", [null, null]],
  ] as const)("keeps the end of an escalated one in the next round where that is to %s", async (onExpiry, kept) => {
    const task_id = await ask(app);
    const begun = Date.now() - 1_800_000;
    await act(task_id, "delegate", "approver", { escalate: true, reason: "Theirs." });
    await endAt(app, task_id, new Date(begun + 7_200_000), onExpiry, new Date(begun));
    const admin = (await app.member("admin")).secret;
    expect((await sendBack(task_id, admin)).status).toBe(200);
    const before = Date.now();
    await change(task_id);
    const { expires_at, on_expiry, escalated_at } = await read(task_id);
    const minutes = expires_at === null ? null : Math.floor((Date.parse(expires_at) - before) / 60_000);
    expect([minutes, on_expiry]).toEqual(kept);
    expect(escalated_at).not.toBeNull();
  });

  it("does not expire while it waits for its requester", async () => {
    const task_id = await ask(app);
    await endAt(app, task_id, new Date(Date.now() + 3_600_000), "reject");
    await sendBack(task_id);
    await endAt(app, task_id, new Date(Date.now() - 1), "reject");
    expect((await change(task_id)).status).toBe(200);
  });

  /** Changes the environment's settings for approvals, as their own operation does. */
  async function settings(approvals: object): Promise<void> {
    await app.pool.query(
      `insert into settings (organization, environment, settings, author) values ('default', 'development', $1, 'test')
       on conflict (organization, environment) do update set settings = excluded.settings`,
      [JSON.stringify({ approvals })],
    );
    await app.pool.query(
      "insert into fact_epochs (topic, epoch) values ('settings', 1) on conflict (topic) do update set epoch = fact_epochs.epoch + 1",
    );
    await app.app.facts.refresh();
  }
});
