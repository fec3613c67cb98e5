import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { eraseApprovals } from "../requests/resource.ts";
import { ask, endAt, eventsAbout, roundsOf, serviceAccount } from "../testing.ts";

const app = useSharedApp();
const send = (task: string, word: string, key: string, body: object = {}) =>
  app.call("POST", `/v1/approvals/${task}/${word}`, { key, body });
const read = async (task: string, key = "admin") => (await app.call("GET", `/v1/approvals/${task}`, { key })).body;
const reason = "The customer calls back at noon.";
const hour = 3_600_000;

describe("a claim", () => {
  it("shows others who works on it, and keeps them from claiming and not from voting", async () => {
    const task = await ask(app);
    const [one, other] = [await app.member("approver"), await app.member("approver")];
    const { body } = await send(task, "claim", one.secret, { minutes: 5 });
    expect(body.claim.by.id).toBe(one.memberId);
    expect(Date.parse(body.claim.until) - Date.parse(body.claim.at)).toBe(300_000);
    expect((await read(task, other.secret)).claim).toEqual(body.claim);
    expect(await send(task, "claim", other.secret)).toMatchObject({
      status: 409,
      body: { code: "claimed_by_other", claimed_by: one.memberId, claimed_until: body.claim.until },
    });
    expect((await send(task, "claim", one.secret, { minutes: 60 })).status).toBe(200);
    expect(await eventsAbout(app, "approval.claimed", task)).toMatchObject([
      { by: one.memberId },
      { by: one.memberId },
    ]);
    const decided = await send(task, "approve", other.secret);
    expect(decided.body).toMatchObject({ status: "approved", claim: null });
    expect((await send(task, "claim", one.secret)).body.code).toBe("already_decided");
  });

  it("lapses, and is released by who has it or by an admin", async () => {
    const task = await ask(app);
    const [one, other] = [await app.member("approver"), await app.member("approver")];
    await send(task, "claim", one.secret);
    expect((await send(task, "release", other.secret)).body.code).toBe("claimed_by_other");
    expect((await send(task, "release", one.secret)).body.claim).toBeNull();
    await send(task, "claim", one.secret);
    expect((await send(task, "release", "admin")).body.claim).toBeNull();
    await send(task, "claim", one.secret);
    await app.pool.query("update approvals set claimed_until = now() where task_id = $1", [task]);
    expect((await read(task)).claim).toBeNull();
    expect((await send(task, "claim", other.secret)).body.claim.by.id).toBe(other.memberId);
    expect((await send(task, "release", other.secret)).status).toBe(200);
    const { revision } = (await roundsOf(app, task))[0] as { revision: number };
    expect((await send(task, "release", other.secret)).status).toBe(200);
    expect((await roundsOf(app, task))[0]?.revision).toBe(revision);
    expect(await eventsAbout(app, "approval.released", task)).toHaveLength(3);
  });

  it("is only of those who may decide", async () => {
    const task = await ask(app, { requester_allowed: false });
    expect((await send(task, "claim", "admin")).body.code).toBe("four_eyes");
    expect((await send(task, "claim", await serviceAccount(app, "approver"))).body.code).toBe("persons_only");
    expect((await send(task, "extend", "admin", { seconds: 60, reason })).body.code).toBe("four_eyes");
  });
});

describe("an extension", () => {
  const ending = async (how: "reject" | "escalate" = "reject", after = hour) => {
    const task = await ask(app);
    await endAt(app, task, new Date(Date.now() + after), how, new Date(Date.now() + after - 2 * hour));
    return task;
  };

  it("lets it wait longer, all of them together by the time that it had at first", async () => {
    const task = await ending();
    const before = await read(task);
    const { body } = await send(task, "extend", "approver", { seconds: 3600, reason });
    expect(Date.parse(body.expires_at) - Date.parse(before.expires_at)).toBe(hour);
    const beyond = await send(task, "extend", "approver", { seconds: 3601, reason });
    expect(beyond.body.errors).toMatchObject([{ pointer: "/seconds", code: "beyond_bound" }]);
    expect(beyond.body.errors[0].detail).toContain("give at most 3600");
    expect((await send(task, "extend", "approver", { seconds: 3600, reason })).status).toBe(200);
    const over = await send(task, "extend", "approver", { seconds: 60, reason });
    expect(over.body.errors[0].detail).toContain("it cannot be extended again");
    expect(await eventsAbout(app, "approval.extended", task)).toMatchObject([{ reason }, { reason }]);
  });

  it("gives the next round the time that the first had", async () => {
    const task = await ending();
    await send(task, "extend", "approver", { seconds: 7200, reason });
    await app.pool.query("update approvals set approvers = 2 where task_id = $1", [task]);
    const began = Date.now();
    const { body } = await send(task, "approve", "approver", { edits: { lead_id: "ld_1002" } });
    expect(body.round).toBe(2);
    expect(Date.parse(body.expires_at) - began).toBeLessThan(2 * hour + 60_000);
  });

  it("is refused where it has no end, or has escalated already", async () => {
    const wait = await ask(app);
    expect((await send(wait, "extend", "approver", { seconds: 60, reason })).body.code).toBe("wrong_state");
    const escalated = await ending("escalate", -1000);
    expect((await send(escalated, "extend", "admin", { seconds: 60, reason })).body.code).toBe("wrong_state");
    expect((await send(await ending("reject", -1000), "extend", "approver", { seconds: 60, reason })).body.code).toBe(
      "already_decided",
    );
  });
});

describe("a withdrawal", () => {
  it("cancels approval and task in the name of who asked, and is nobody else's", async () => {
    const [asker, other] = [await app.member("operator"), await app.member("operator")];
    const { task_id } = await app.dispatch({}, { key: asker.secret });
    expect(await send(task_id, "withdraw", other.secret, { reason })).toMatchObject({
      status: 403,
      body: { code: "not_requester", stage: "permissions" },
    });
    const { body } = await send(task_id, "withdraw", asker.secret, { reason });
    expect(body).toMatchObject({
      status: "cancelled",
      task_status: "cancelled",
      reason,
      decided_by: { id: asker.memberId },
    });
    expect(await eventsAbout(app, "approval.withdrawn", task_id)).toMatchObject([{ by: asker.memberId, reason }]);
    expect((await send(task_id, "withdraw", asker.secret, { reason })).body.code).toBe("already_decided");
  });

  it("is of a service account's request that of the account or of who issued its key", async () => {
    const bot = await serviceAccount(app, "operator");
    const { task_id } = await app.dispatch({}, { key: bot });
    expect((await send(task_id, "withdraw", bot, { reason })).body.status).toBe("cancelled");
  });

  it("is refused where its task waits for another approval by now", async () => {
    const { task_id } = await app.dispatch({});
    await app.pool.query("update tasks set approval_id = null where id = $1", [task_id]);
    const { rows } = await app.pool.query("select id from approvals where task_id = $1", [task_id]);
    expect((await send(rows[0].id, "withdraw", "admin", { reason })).body.code).toBe("wrong_state");
  });
});

describe("comments", () => {
  const comment = (task: string, key: string, text: string) => send(task, "comments", key, { text });
  const mentions = async (key: string, task: string) => {
    const { body } = await app.call("GET", "/v1/approvals/inbox?kind=mention&limit=100", { key });
    return body.data.filter((item: { task_id: string }) => item.task_id === task);
  };

  it("mention persons, who find them in their inbox until they comment or vote themselves", async () => {
    const task = await ask(app, { approvers: 3 });
    const [one, other] = [await app.member("operator"), await app.member("approver")];
    const text = `@${other.memberId} and @${other.memberId}: is this one yours?`;
    const { status, body } = await comment(task, one.secret, text);
    expect(status).toBe(201);
    expect(body).toMatchObject({ author: { id: one.memberId }, text, mentions: [{ id: other.memberId }] });
    expect((await app.call("GET", `/v1/approvals/${task}/comments`)).body.data).toEqual([body]);
    expect(await eventsAbout(app, "approval.commented", task)).toMatchObject([
      { comment_id: body.comment_id, mentions: [other.memberId] },
    ]);
    expect(await mentions(other.secret, task)).toMatchObject([
      { kind: "mention", id: body.comment_id, text, may_act: true, who_may_act: { member: other.memberId } },
    ]);
    expect(await mentions(one.secret, task)).toEqual([]);
    await send(task, "approve", other.secret);
    expect(await mentions(other.secret, task)).toEqual([]);
    await comment(task, one.secret, `@${other.memberId} why?`);
    expect(await mentions(other.secret, task)).toHaveLength(1);
    await comment(task, other.secret, "I know them.");
    expect(await mentions(other.secret, task)).toEqual([]);
  });

  it("mention nobody who has no role here, nor more than twenty", async () => {
    const task = await ask(app);
    const elsewhere = await app.member("approver", "staging");
    for (const [text, code] of [
      [`@${elsewhere.memberId}`, "unknown_member"],
      ["@mbr_00000000000000000000000000", "unknown_member"],
      [Array.from({ length: 21 }, (_, at) => `@mbr_${String(at).padStart(26, "0")}`).join(" "), "too_many_mentions"],
    ] as const)
      expect((await comment(task, "admin", text)).body.errors).toMatchObject([{ pointer: "/text", code }]);
    expect((await comment(task, app.key("viewer"), "Hello")).body.code).toBe("insufficient_scope");
  });

  it("are refused beyond two hundred", async () => {
    const task = await ask(app);
    await app.pool.query(
      `insert into approval_comments (organization, environment, id, approval_id, task_id, author, text, mentions, created_at)
       select 'default', 'development', 'apc_' || n || $1, 'apr_x', $1, 'mbr_x', 'x', '{}', now() from generate_series(1, 200) n`,
      [task],
    );
    expect((await comment(task, "admin", "One more")).body.code).toBe("wrong_state");
  });
});

describe("the history", () => {
  it("has requests, views, claims, extensions, comments, hand-overs, edits, votes and the end, with who did them", async () => {
    const task = await ask(app, { approvers: 2 });
    const [one, two] = [await app.member("approver"), await app.member("approver")];
    await endAt(app, task, new Date(Date.now() + hour), "reject", new Date(Date.now() - hour));
    await read(task, one.secret);
    await read(task, one.secret);
    await send(task, "claim", one.secret);
    await send(task, "extend", one.secret, { seconds: 60, reason });
    await send(task, "release", one.secret);
    await send(task, "comments", one.secret, { text: "Hm." });
    await send(task, "delegate", one.secret, { to: two.memberId, reason: "Yours." });
    await send(task, "approve", two.secret, { edits: { lead_id: "ld_1002" } });
    const { digest } = await read(task);
    await send(task, "approve", "approver", { digest });
    const history = async () => (await app.call("GET", `/v1/approvals/${task}/history`)).body;
    await expect
      .poll(async () => (await history()).entries.filter(({ kind }: { kind: string }) => kind === "viewed"))
      .toContainEqual(expect.objectContaining({ actor: expect.objectContaining({ id: one.memberId }), times: 2 }));
    const { entries, more } = await history();
    expect(more).toBe(false);
    const times = entries.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...times].sort().reverse());
    const done = entries.filter(({ kind }: { kind: string }) => kind !== "viewed").reverse();
    const of = (kind: string, actor: string, more: object = {}) =>
      expect.objectContaining({ kind, actor: expect.objectContaining({ id: actor }), ...more });
    for (const entry of [
      of("claimed", one.memberId, { round: 1, until: expect.any(String) }),
      of("extended", one.memberId, { text: reason }),
      of("released", one.memberId),
      of("commented", one.memberId, { text: "Hm." }),
      of("handed_over", one.memberId, { to: expect.objectContaining({ id: two.memberId }) }),
      of("edited", two.memberId, { round: 2 }),
      of("approved", two.memberId, { on_behalf_of: expect.objectContaining({ id: one.memberId }) }),
    ])
      expect(done).toContainEqual(entry);
    const last = done.filter(({ kind }: { kind: string }) => kind === "ended").at(-1);
    expect(last).toMatchObject({ round: 2, text: "approved" });
    expect(done[0]).toMatchObject({ kind: "requested", round: 1 });
  });
});

describe("similar cases", () => {
  it("are the nearest decided ones of the same agent, skill and tool, with what came of them", async () => {
    const decided = async (amount: number, word: "approve" | "reject") => {
      const task = await ask(app);
      await app.pool.query("update approvals set skill = 'refund' where task_id = $1", [task]);
      await send(task, word, "approver", word === "reject" ? { reason: "Too much." } : {});
      const stored = JSON.stringify({ order: "o_1", amount });
      await app.pool.query("update approvals set arguments = $2 where task_id = $1", [task, stored]);
      return task;
    };
    const [near, far] = [await decided(90, "approve"), await decided(900, "reject")];
    await app.pool.query("update tasks set status = 'completed', finished_at = now(), output = '{}' where id = $1", [
      near,
    ]);
    expect((await app.call("POST", `/v1/tasks/${near}/feedback`, { body: { accepted: false } })).status).toBe(201);
    const task = await ask(app);
    await app.pool.query("update approvals set skill = 'refund', arguments = $2 where task_id = $1", [
      task,
      JSON.stringify({ order: "o_1", amount: 100 }),
    ]);
    const { body } = await app.call("GET", `/v1/approvals/${task}/similar`);
    expect(body).toMatchObject({
      considered: 2,
      approved: 1,
      rejected: 1,
      cases: [
        {
          task_id: near,
          decision: "approved",
          similarity: 0.95,
          differs: [{ field: "/amount", here: "100", there: "90" }],
          outcome: { task_status: "completed", accepted: false, rating: null },
        },
        {
          task_id: far,
          decision: "rejected",
          reason: "Too much.",
          outcome: { task_status: "rejected", accepted: null },
        },
      ],
    });
  });
});

it("compares no input beyond sixteen KiB, and the newest hundred cases only", async () => {
  const task = await ask(app);
  await send(task, "approve", "approver");
  const alike = JSON.stringify({ order: "o_1" });
  await app.pool.query("update approvals set skill = 'bulk', arguments = $2 where task_id = $1", [task, alike]);
  const { rows } = await app.pool.query("select * from approvals where task_id = $1", [task]);
  const columns = Object.keys(rows[0]).map((name) => (name === "id" ? "left(id, 26) || lpad(n::text, 4, '0')" : name));
  await app.pool.query(
    `insert into approvals (${Object.keys(rows[0]).join(", ")}) select ${columns.join(", ")} from approvals, generate_series(1, 120) n where task_id = $1`,
    [task],
  );
  const large = JSON.stringify({ order: "o_1", note: "x".repeat(16_384) });
  await app.pool.query("update approvals set arguments = $2 where task_id = $1 and id like '%0120'", [task, large]);
  const { body } = await app.call("GET", `/v1/approvals/${rows[0].id}/similar`);
  expect([body.considered, body.cases[0].similarity]).toEqual([100, 1]);
  await app.pool.query("update approvals set arguments = $2 where task_id = $1 and id <> $3", [
    task,
    large,
    rows[0].id,
  ]);
  const { cases } = (await app.call("GET", `/v1/approvals/${rows[0].id}/similar`)).body;
  expect(cases[0]).toMatchObject({ similarity: 0, differs: [] });
});

it("loses the words of comments and reasons where the contents of its task are erased, and keeps who and when", async () => {
  const task = await ask(app);
  const { memberId, secret } = await app.member("approver");
  await endAt(app, task, new Date(Date.now() + hour), "reject", new Date(Date.now() - hour));
  await send(task, "extend", secret, { seconds: 60, reason: "A marker word" });
  await send(task, "comments", secret, { text: "Another marker word" });
  const query = async (text: string, values: unknown[]) => (await app.pool.query(text, values)).rows;
  const scope = { organization: "default", environment: "development" };
  await eraseApprovals({ scope, db: { query } } as never, { tasks: [task], texts: [] });
  const { entries } = (await app.call("GET", `/v1/approvals/${task}/history`)).body;
  expect(JSON.stringify(entries)).not.toContain("marker word");
  for (const kind of ["extended", "commented"])
    expect(entries).toContainEqual(expect.objectContaining({ kind, actor: expect.objectContaining({ id: memberId }) }));
});
