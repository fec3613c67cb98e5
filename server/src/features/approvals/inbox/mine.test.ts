import { expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { ask, endAt, personWithKeyFrom } from "../testing.ts";

const app = useSharedApp();
const call = (task: string, word: string, key: string, body: object) =>
  app.call("POST", `/v1/approvals/${task}/${word}`, { key, body });

const words = ["approve", "reject", "request-changes", "delegate"] as const;

/**
 * That each decision is refused for the reason that the approval names; who may never decide is told so first, and who voted may repeat the same vote. Whom
 * approval rules do not ask may still reject it and send it back.
 */
async function refusedAlike(task: string, key: string, code: string, digest: string): Promise<void> {
  const to = { to: "mbr_01jd8x0q3v7w9y2z4a6b8c0d1e", reason: "Theirs." };
  const bodies = [{ digest }, { digest, reason: "No." }, { digest, note: "Other." }, to];
  const closed = words.filter((word) => code !== "not_asked" || word === "approve" || word === "delegate");
  const answers = await Promise.all(closed.map((word) => call(task, word, key, bodies[words.indexOf(word)] as object)));
  const codes = answers.map(({ body }) => body.code);
  const first = codes[0] === "insufficient_scope" ? "insufficient_scope" : code;
  if (first === "already_voted") expect(codes).toContain(first);
  else expect(codes).toEqual(closed.map(() => first));
}

/** What lists and approvals say to each of these keys; answers the reasons that came up. */
async function compared(tasks: ReadonlyMap<string, string>, keys: readonly string[]): Promise<string[]> {
  const seen = new Set<string>();
  for (const key of keys) {
    const { body } = await app.call("GET", "/v1/approvals?mine=true&limit=100", { key });
    const mine = new Set(body.data.map(({ task_id }: { task_id: string }) => task_id));
    expect(body.counts.mine).toBe(body.data.length);
    for (const [task, name] of tasks) {
      const { may_decide, digest } = (await app.call("GET", `/v1/approvals/${task}`, { key })).body;
      const { allowed, code } = may_decide;
      expect([name, mine.has(task)], `${name}: ${code}`).toEqual([name, allowed]);
      if (!allowed) await refusedAlike(task, key, code, digest);
      seen.add(String(code));
    }
  }
  return [...seen].sort();
}

async function standIn(key: string, to: string): Promise<void> {
  const ends_at = new Date(Date.now() + 3_600_000).toISOString();
  const made = await app.call("POST", "/v1/approvals/settings/delegations", { key, body: { to, ends_at } });
  expect(made.status, made.text).toBe(201);
}

it("lists as mine exactly what the caller may decide, for everybody and in every situation", async () => {
  const [one, two, admin] = [await app.member("approver"), await app.member("approver"), await app.member("admin")];
  const issued = await personWithKeyFrom(app, admin.secret);
  const [here, beside] = [await app.member("approver"), await app.member("approver")];
  for (const [key, to] of [
    [admin.secret, here],
    [one.secret, beside],
  ] as const)
    await standIn(key, to.memberId);
  const alone = { requester_allowed: false };
  const byAdmin = async (more: object) => {
    const { task_id } = await app.dispatch({}, { key: admin.secret });
    await app.pool.query(
      "update approvals set requester_allowed = $2, approvers = 2, risk_level = 'medium' where task_id = $1",
      [task_id, "requester_allowed" in more],
    );
    return task_id;
  };
  const reason = "Theirs.";
  const edits = { lead_id: "ld_1002" };
  const situations: Record<string, () => Promise<string>> = {
    plain: () => ask(app),
    "asked by the admin, others demanded": () => byAdmin({}),
    "asked by the admin": () => byAdmin({ requester_allowed: true }),
    "voted by one": async () => voted(one.secret),
    "voted by the admin": async () => voted(admin.secret),
    "voted with a key of the admin's": async () => voted(issued.secret),
    delegated: async () => after(await ask(app), "delegate", one.secret, { to: two.memberId, reason }),
    escalated: async () => after(await ask(app), "delegate", one.secret, { escalate: true, reason }),
    "edited, others demanded": async () => after(await ask(app, alone), "approve", admin.secret, { edits }),
    "over, and it ends": async () => ended("reject", -1),
    "over, and it escalates": async () => ended("escalate", -1),
    "not over yet": async () => ended("reject", 3_600_000),
    "sent back": async () => after(await ask(app), "request-changes", one.secret, { note: reason }),
    "voted by who stands in": async () => voted(here.secret),
    decided: async () => after(await ask(app), "approve", one.secret, {}),
    "a rule asks two, then an admin": () =>
      ruled([
        { quorum: 1, members: [two.memberId] },
        { quorum: 1, roles: ["admin"] },
      ]),
    "a rule asked two, and now an admin": async () =>
      after(
        await ruled([
          { quorum: 1, members: [two.memberId] },
          { quorum: 1, roles: ["admin"] },
        ]),
        "approve",
        two.secret,
        {},
      ),
    "a rule asks one who is away": () => ruled([{ quorum: 1, members: [one.memberId] }]),
    "a rule asks two, escalated": async () =>
      after(await ruled([{ quorum: 1, members: [two.memberId] }]), "delegate", two.secret, { escalate: true, reason }),
    "a rule asks two, escalated by another admin": async () =>
      after(await ruled([{ quorum: 1, members: [two.memberId] }]), "delegate", app.key("admin"), {
        escalate: true,
        reason,
      }),
  };
  const ruled = async (stages: object[]): Promise<string> => {
    const body = { title: "Mine", when: { agents: ["sales"] }, require: { stages } };
    const { status, text } = await app.call("PUT", "/v1/approvals/settings/rules/mine", { body });
    expect(status, text).toBe(200);
    const { task_id } = await app.dispatch();
    await app.pool.query("update approvals set risk_level = 'medium' where task_id = $1", [task_id]);
    await app.call("DELETE", "/v1/approvals/settings/rules/mine", { body: {} });
    return task_id;
  };
  const after = async (task: string, word: string, key: string, body: object): Promise<string> => {
    const { status, text } = await call(task, word, key, body);
    expect(status, text).toBe(200);
    return task;
  };
  const voted = async (key: string) => after(await ask(app, { approvers: 3 }), "approve", key, {});
  const ended = async (how: "reject" | "escalate", after: number) => {
    const task = await ask(app);
    await endAt(app, task, new Date(Date.now() + after), how);
    return task;
  };
  const tasks = new Map<string, string>();
  for (const [name, arrange] of Object.entries(situations)) tasks.set(await arrange(), name);

  const keys = [
    one.secret,
    two.secret,
    admin.secret,
    issued.secret,
    here.secret,
    beside.secret,
    app.key("admin"),
    app.key("approver"),
    app.key("viewer"),
  ];
  const seen = await compared(tasks, keys);
  const all = [
    "already_decided",
    "already_voted",
    "delegated",
    "escalated",
    "four_eyes",
    "insufficient_scope",
    "key_not_independent",
    "not_asked",
    "null",
  ];
  expect(seen).toEqual(all);
});

it("does so where decisions are strict as well, for every kind of credential", async () => {
  const environment = "staging";
  await app.deploy(environment);
  await app.verdict("open", environment);
  const [alice, bob, carol] = [
    await app.signedInMember("admin", environment),
    await app.signedInMember("approver", environment),
    await app.signedInMember("approver", environment),
  ];
  const plain = await app.member("approver", environment);
  const [dave, erin] = [
    await app.signedInMember("approver", environment),
    await app.signedInMember("approver", environment),
  ];
  await standIn(alice.secret, dave.memberId);
  await standIn(plain.secret, erin.memberId);
  const issue = async (key: string, role: string, whom: object) =>
    (await app.call("POST", "/v1/admin/keys", { key, body: { name: "k", role, ...whom } })).body.key as string;
  const robot = await issue(alice.secret, "operator", { for: { service_account: "asking" } });
  const ofBob = await issue(alice.secret, "approver", { for: { member: bob.memberId } });
  const own = await issue(alice.secret, "admin", {});
  const asked = async (key: string, demand: object = {}) => {
    const { task_id } = await app.dispatch({}, { key });
    await app.pool.query(
      "update approvals set approvers = coalesce($2, approvers), requester_allowed = coalesce($3, requester_allowed) where task_id = $1",
      [task_id, ...Object.values({ approvers: null, requester_allowed: null, ...demand })],
    );
    return task_id;
  };
  const digested = async (task: string, word: string, key: string, body: object = {}) => {
    const { digest } = (await app.call("GET", `/v1/approvals/${task}`, { key })).body;
    const answered = await call(task, word, key, word === "delegate" ? body : { digest, ...body });
    expect(answered.status, answered.text).toBe(200);
    return task;
  };
  const two = { approvers: 2 };
  const tasks = new Map<string, string>([
    [await asked(app.key("admin", environment)), "plain"],
    [await asked(alice.secret), "asked by the admin"],
    [
      await digested(await asked(app.key("admin", environment)), "delegate", bob.secret, {
        escalate: true,
        reason: "x",
      }),
      "escalated",
    ],
    [await asked(robot), "asked with a key that the admin issued for a service account"],
    [await asked(robot, { approvers: 1, requester_allowed: true }), "that takes no second person"],
    [await asked(robot, { approvers: 2, requester_allowed: true }), "that takes two, the requester among them"],
    [await digested(await asked(app.key("admin", environment), two), "approve", bob.secret), "voted on"],
    [
      await digested(await asked(app.key("admin", environment), two), "delegate", bob.secret, {
        to: carol.memberId,
        reason: "x",
      }),
      "handed on",
    ],
  ]);
  const gone = await digested(await asked(app.key("admin", environment), two), "approve", carol.secret);
  tasks.set(gone, "voted on by somebody who may no longer decide");
  await app.pool.query("update members set roles = $2 where id = $1", [
    carol.memberId,
    JSON.stringify({ [environment]: "viewer" }),
  ]);

  const keys = [
    alice.secret,
    own,
    bob.secret,
    ofBob,
    plain.secret,
    dave.secret,
    erin.secret,
    robot,
    app.key("admin", environment),
    app.key("approver", environment),
  ];
  expect(await compared(tasks, keys)).toEqual([
    "already_voted",
    "delegated",
    "escalated",
    "four_eyes",
    "insufficient_scope",
    "not_signed_in_personally",
    "null",
  ]);
});
