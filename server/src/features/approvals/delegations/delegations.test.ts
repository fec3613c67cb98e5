import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { actionDigest } from "../requests/request.ts";
import { ask, decisionsOf, endAt, eventsAbout, personWithKeyFrom, serviceAccount } from "../testing.ts";

const app = useSharedApp();
const path = "/v1/approvals/settings/delegations";
const hour = 3_600_000;
const at = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();

const create = (key: string, body: Record<string, unknown>) =>
  app.call("POST", path, { key, body: { ends_at: at(24), ...body } });
const approve = (task: string, key: string, body: object = {}) =>
  app.call("POST", `/v1/approvals/${task}/approve`, { key, body });
const escalate = (task: string) =>
  app.call("POST", `/v1/approvals/${task}/delegate`, { body: { escalate: true, reason: "Unsure." } });
const setRole = (member: string, role: string | null) =>
  app.call("PUT", `/v1/admin/members/${member}`, { body: { role } });

/** Two persons, of whom the second stands in for the first. */
async function standing(role: "approver" | "admin" = "admin") {
  const [away, here] = [await app.member(role), await app.member("approver")];
  const made = await create(away.secret, { to: here.memberId });
  expect(made.status, made.text).toBe(201);
  return { away, here, delegation: made.body.delegation_id as string };
}

describe("a delegation for a time", () => {
  it("is created, listed by who is away and who stands in, read, and removed by either of them", async () => {
    const { away, here, delegation } = await standing("approver");
    const shown = (await app.call("GET", `${path}/${delegation}`)).body;
    expect(shown).toMatchObject({
      from: { id: away.memberId, kind: "person" },
      to: { id: here.memberId },
      created_by: { id: away.memberId },
      reason: null,
      state: "active",
      ended_reason: null,
    });
    for (const filter of [`from=${away.memberId}`, `to=${here.memberId}`])
      expect((await app.call("GET", `${path}?${filter}`)).body.data).toEqual([shown]);
    const other = await app.member("approver");
    expect((await app.call("DELETE", `${path}/${delegation}`, { key: other.secret })).body).toMatchObject({
      code: "not_your_delegation",
      stage: "permissions",
    });
    expect((await app.call("DELETE", `${path}/${delegation}`, { key: here.secret })).body).toEqual({
      delegation_id: delegation,
      removed: true,
    });
    const { rows } = await app.pool.query("select type, body from events where body like $1 order by xid, n", [
      `%${delegation}%`,
    ]);
    expect(rows.map(({ type }) => type)).toEqual(["delegation.created", "delegation.removed"]);
    expect(JSON.parse(rows[0].body)).toMatchObject({ from: away.memberId, to: here.memberId });
  });

  it("tells why it cannot be", async () => {
    const { memberId, secret } = await app.member("approver");
    const other = (await app.member("approver")).memberId;
    await serviceAccount(app, "approver");
    const { rows } = await app.pool.query("select id from members where kind = 'service_account' limit 1");
    for (const [body, pointer, code] of [
      [{ to: memberId }, "/to", "cannot_decide"],
      [{ to: "mbr_00000000000000000000000000" }, "/to", "unknown_member"],
      [{ to: rows[0].id }, "/to", "cannot_decide"],
      [{ to: (await app.member("viewer")).memberId }, "/to", "cannot_decide"],
      [{ to: other, from: (await app.member("approver")).memberId }, "/from", "admins_only"],
      [{ to: other, starts_at: at(2), ends_at: at(1) }, "/ends_at", "ends_before_start"],
      [{ to: other, starts_at: at(-2), ends_at: at(-1) }, "/ends_at", "in_the_past"],
      [{ to: other, ends_at: at(24 * 367) }, "/ends_at", "too_long"],
      [{ to: other, starts_at: at(24 * 367), ends_at: at(24 * 368) }, "/starts_at", "too_far_ahead"],
    ] as const) {
      const { status, body: problem } = await create(secret, body);
      expect([status, problem.errors?.[0]], `${pointer} ${code}`).toMatchObject([422, { pointer, code }]);
    }
    const viewer = await app.member("viewer");
    expect((await create("admin", { from: viewer.memberId, to: other })).body.errors[0]).toMatchObject({
      pointer: "/from",
      code: "cannot_decide",
    });
    const bot = await serviceAccount(app, "approver");
    expect((await create(bot, { to: other })).body.code).toBe("persons_only");
  });

  it("closes no circle, also by way of others, but at another time", async () => {
    const [one, two, three] = [
      await app.member("approver"),
      await app.member("approver"),
      await app.member("approver"),
    ];
    expect((await create(one.secret, { to: two.memberId })).status).toBe(201);
    expect((await create(two.secret, { to: three.memberId, starts_at: at(1), ends_at: at(3) })).status).toBe(201);
    const circle = await create(three.secret, { to: one.memberId, starts_at: at(2) });
    expect([circle.status, circle.body.errors[0]]).toMatchObject([422, { pointer: "/to", code: "circle" }]);
    expect((await create(three.secret, { to: one.memberId, starts_at: at(4) })).status).toBe(201);
  });

  it("is refused beyond fifty that have not ended", async () => {
    const [away, here] = [await app.member("approver"), await app.member("approver")];
    await app.pool.query(
      `insert into approval_absences (organization, environment, id, from_member, to_member, starts_at, ends_at, author, accountable, personal, created_at)
       select 'default', 'development', 'dlg_' || n, $1, $2, now(), now() + interval '1 day', $1, '{}', false, now() from generate_series(1, 50) n`,
      [away.memberId, here.memberId],
    );
    expect((await create(away.secret, { to: here.memberId })).body.code).toBe("wrong_state");
    await app.pool.query("delete from approval_absences where from_member = $1", [away.memberId]);
  });
});

describe("who stands in for another", () => {
  it("votes in both names: in the approval, the event and the record", async () => {
    const { away, here, delegation } = await standing("approver");
    const task = await ask(app);
    const shown = await app.call("GET", `/v1/approvals/${task}`, { key: here.secret });
    expect(shown.body.standing_in_for).toMatchObject({ id: away.memberId });
    const { body, headers } = await approve(task, here.secret);
    expect(body).toMatchObject({
      status: "approved",
      votes: [{ voter: { id: here.memberId }, on_behalf_of: { id: away.memberId } }],
    });
    expect(await decisionsOf(app, task)).toMatchObject([{ decided_by: here.memberId, on_behalf_of: away.memberId }]);
    const { rows } = await app.pool.query("select body from audit_records where id = $1", [headers.get("audit-ref")]);
    const record = JSON.parse(rows[0].body);
    expect(record.principal).toBe(here.memberId);
    expect(JSON.stringify(record.stages)).toContain(`in the place of ${away.memberId} by ${delegation}`);
  });

  it("counts with that one as one person", async () => {
    const { away, here } = await standing("approver");
    const task = await ask(app, { approvers: 2 });
    expect((await approve(task, here.secret)).body).toMatchObject({ status: "pending", approvals: 1 });
    expect((await approve(task, away.secret)).body).toMatchObject({
      code: "delegated",
      detail: expect.stringContaining("has voted in your place"),
    });
    expect((await approve(task, "approver")).body).toMatchObject({ status: "approved", approvals: 2 });
  });

  it("decides what was escalated to an admin who is away, and only until that one is no admin or the time is over", async () => {
    const { away, here, delegation } = await standing();
    const tasks = [await ask(app), await ask(app), await ask(app)];
    for (const task of tasks) await escalate(task);
    const [first, second, third] = tasks as [string, string, string];
    expect((await approve(first, here.secret)).body.status).toBe("approved");
    await setRole(away.memberId, "approver");
    expect((await approve(second, here.secret)).body.code).toBe("escalated");
    await setRole(away.memberId, "admin");
    expect((await approve(second, here.secret)).body.status).toBe("approved");
    await app.pool.query(
      "update approval_absences set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1",
      [delegation],
    );
    expect((await approve(third, here.secret)).body.code).toBe("escalated");
    expect((await app.call("GET", `${path}/${delegation}`)).body).toMatchObject({
      state: "ended",
      ended_reason: expect.stringContaining("It ended at"),
    });
  });

  it.each(["away", "here"] as const)("no longer does so once the one who is %s was removed", async (who) => {
    const pair = await standing();
    const task = await ask(app, { approvers: 2 });
    expect((await approve(task, pair.here.secret)).body.approvals).toBe(1);
    await app.pool.query("update members set removed_at = now() where id = $1", [pair[who].memberId]);
    expect((await app.call("GET", `${path}/${pair.delegation}`)).body).toMatchObject({
      state: "ended",
      ended_reason: expect.stringContaining("is no member any more"),
    });
    expect((await app.call("GET", `/v1/approvals/${task}`)).body).toMatchObject({
      approvals: 0,
      votes: [{ counts: false, not_counted_reason: expect.stringContaining("stood in for") }],
    });
  });

  it("decides in their own right what the one who is away asked for, and never what they asked for themselves", async () => {
    const { away, here } = await standing();
    const alone = { requester_allowed: false };
    const asked = async (key: string) => {
      const { task_id } = await app.dispatch({}, { key });
      await app.pool.query("update approvals set requester_allowed = false, risk_level = 'medium' where task_id = $1", [
        task_id,
      ]);
      return task_id;
    };
    const ofAway = await asked(away.secret);
    expect((await app.call("GET", `/v1/approvals/${ofAway}`, { key: here.secret })).body.standing_in_for).toBeNull();
    expect((await approve(ofAway, here.secret)).body).toMatchObject({
      status: "approved",
      votes: [{ voter: { id: here.memberId }, on_behalf_of: null }],
    });
    const escalatedOne = await asked(away.secret);
    await escalate(escalatedOne);
    expect((await approve(escalatedOne, here.secret)).body.code).toBe("escalated");
    const edited = await ask(app, alone);
    await approve(edited, here.secret, { edits: { lead_id: "ld_1002" } });
    const { digest } = (await app.call("GET", `/v1/approvals/${edited}`)).body;
    expect((await approve(edited, here.secret, { digest })).body.code).toBe("four_eyes");
  });

  it("has no say in what whoever had them stand in asked for", async () => {
    const [maker, away, here] = [await app.member("admin"), await app.member("admin"), await app.member("approver")];
    expect((await create(maker.secret, { from: away.memberId, to: here.memberId })).status).toBe(201);
    const { task_id } = await app.dispatch({}, { key: maker.secret });
    await escalate(task_id);
    const { digest } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
    expect((await approve(task_id, here.secret, { digest })).body.code).toBe("escalated");
  });

  it("edits what only the other could decide, and then has no say in it; admins are asked about the edit", async () => {
    const { away, here } = await standing();
    const task = await ask(app);
    await escalate(task);
    const { body } = await approve(task, here.secret, { edits: { lead_id: "ld_1002" } });
    expect(body).toMatchObject({ status: "pending", round: 2, votes: [] });
    expect(await eventsAbout(app, "task.approval_required", task)).toHaveLength(2);
    expect((await approve(task, here.secret, { digest: body.digest })).body.code).toBe("escalated");
    expect((await approve(task, away.secret, { digest: body.digest })).body.status).toBe("approved");
  });

  it("has no say in their edit either where the time to escalate is over and nothing has escalated it yet", async () => {
    const { here } = await standing();
    const task = await ask(app);
    await endAt(app, task, new Date(Date.now() - 1000), "escalate", new Date(Date.now() - hour));
    const { body } = await approve(task, here.secret, { edits: { lead_id: "ld_1002" } });
    expect(body).toMatchObject({ status: "pending", round: 2, votes: [] });
    expect((await approve(task, here.secret, { digest: body.digest })).body.code).toBe("escalated");
  });

  it("edits for the other and for who had them stand in: neither is a second person to the edit", async () => {
    const [maker, away, here] = [await app.member("admin"), await app.member("admin"), await app.member("approver")];
    expect((await create(maker.secret, { from: away.memberId, to: here.memberId })).status).toBe(201);
    const task = await ask(app, { requester_allowed: false });
    const { body } = await approve(task, here.secret, { edits: { lead_id: "ld_1002" } });
    expect(body).toMatchObject({ status: "pending", round: 2, edited_by: { id: here.memberId } });
    const { rows } = await app.pool.query("select deciders from tasks where id = $1", [task]);
    const editors = rows[0].deciders.filter(({ how }: { how: string }) => how === "edited");
    expect(editors.map(({ id }: { id: string }) => id).sort()).toEqual(
      [maker.memberId, away.memberId, here.memberId].sort(),
    );
    for (const { secret } of [here, away, maker])
      expect((await approve(task, secret, { digest: body.digest })).body.code).toBe("four_eyes");
    expect((await approve(task, "approver", { digest: body.digest })).body.status).toBe("approved");
  });

  it("writes the note that sends a call back for the other, too", async () => {
    const { away, here } = await standing();
    const task = await ask(app);
    await app.pool.query("update approvals set tool = 'send_mail', arguments = '{}' where task_id = $1", [task]);
    const { rows } = await app.pool.query("select agent, version_id, skill, nonce from approvals where task_id = $1", [
      task,
    ]);
    const { agent, version_id: version, skill, nonce } = rows[0];
    const digest = actionDigest({ agent, version, skill, tool: "send_mail", arguments: {}, nonce });
    await app.pool.query("update approvals set action_digest = $2 where task_id = $1", [task, digest]);
    const sent = await app.call("POST", `/v1/approvals/${task}/request-changes`, {
      key: here.secret,
      body: { note: "Less." },
    });
    expect(sent.status, sent.text).toBe(200);
    const found = await app.pool.query("select deciders from tasks where id = $1", [task]);
    const writers = found.rows[0].deciders.filter(({ how }: { how: string }) => how === "note");
    expect(writers.map(({ id }: { id: string }) => id).sort()).toEqual([away.memberId, here.memberId].sort());
  });

  it("finds in lists and in the inbox for whom they would decide", async () => {
    const { away, here } = await standing();
    const issued = await personWithKeyFrom(app, app.key("admin"));
    const task = await ask(app);
    await escalate(task);
    const list = async (url: string, key: string) =>
      (await app.call("GET", url, { key })).body.data.find((one: { task_id: string }) => one.task_id === task);
    for (const url of ["/v1/approvals?mine=true&limit=100", "/v1/approvals/inbox?kind=approval&limit=100"]) {
      expect((await list(url, here.secret)).standing_in_for).toMatchObject({ id: away.memberId });
      expect((await list(url.replace("mine=true&", ""), issued.secret)).standing_in_for).toBeNull();
    }
  });
});
