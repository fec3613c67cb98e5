import { beforeAll, describe, expect, it } from "vitest";
import type { Environment } from "../../../kernel/principal.ts";
import { useApp } from "../../../testing/app.ts";
import { eventsOf, leaseOn, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { approvalsOf } from "../../tasks/runs/testing.ts";
import { ask } from "../testing.ts";

const environment: Environment = "staging";

describe("a vote", () => {
  const app = useApp();
  const process = useWorkerProcess(app);
  const read = async (task: string) => (await app.call("GET", `/v1/approvals/${task}`, { environment })).body;
  const approve = async (task: string, key: string) =>
    app.call("POST", `/v1/approvals/${task}/approve`, { key, body: { digest: (await read(task)).digest } });
  const setRole = (member: string, role: string | null) =>
    app.call("PUT", `/v1/admin/members/${member}`, { environment, body: { role } });
  const readdress = (member: string) =>
    app.call("PUT", `/v1/admin/members/${member}`, {
      environment,
      body: { role: "approver", email: `${member}@example.com` },
    });
  const person = () => app.signedInMember("approver", environment);

  beforeAll(async () => {
    await app.pool.query(
      `update agent_versions set definition = jsonb_set(definition, '{skills,1,impact}', $1) where agent = 'sales'`,
      [JSON.stringify({ data: "personal", reversible: false, external: true })],
    );
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'agents'");
    await app.deploy(environment);
    await app.verdict("open", environment);
    await process.refresh();
  });

  it.each([
    [
      "was removed",
      (member: string) => app.pool.query("update members set removed_at = now() where id = $1", [member]),
      "removed",
    ],
    ["lost the role", (member: string) => setRole(member, null), "removed"],
    ["has a role by now that does not decide", (member: string) => setRole(member, "viewer"), "role that decides"],
    ["has another e-mail address by now", (member: string) => readdress(member), "e-mail address was changed"],
  ] as const)("of a voter who %s does not count, and the approval says so", async (_how, ends, words) => {
    const [bob, carol, dave] = [await person(), await person(), await person()];
    const { task_id: task } = await app.dispatch({ task: "summarize_lead" }, { environment });
    expect((await approve(task, bob.secret)).body).toMatchObject({
      approvals: 1,
      approvers: 2,
      votes: [{ counts: true }],
    });
    await ends(bob.memberId);
    expect((await approve(task, carol.secret)).body).toMatchObject({
      status: "pending",
      approvals: 1,
      votes: [
        { counts: false, not_counted_reason: expect.stringContaining(words) },
        { counts: true, not_counted_reason: null },
      ],
    });
    expect((await approve(task, dave.secret)).body).toMatchObject({ status: "approved", approvals: 2 });
  });

  it("counts again once its voter has a role again that decides", async () => {
    const [bob, carol] = [await person(), await person()];
    const { task_id: task } = await app.dispatch({ task: "summarize_lead" }, { environment });
    await approve(task, bob.secret);
    await setRole(bob.memberId, "viewer");
    await setRole(bob.memberId, "approver");
    expect((await approve(task, carol.secret)).body).toMatchObject({ status: "approved", approvals: 2 });
  });

  it("completes the number of approvers by being given again, where another one counts again since", async () => {
    const [bob, carol] = [await person(), await person()];
    const { task_id: task } = await app.dispatch({ task: "summarize_lead" }, { environment });
    await approve(task, bob.secret);
    await setRole(bob.memberId, "viewer");
    expect((await approve(task, carol.secret)).body).toMatchObject({ status: "pending", approvals: 1 });
    await setRole(bob.memberId, "approver");
    const waiting = (await app.call("GET", `/v1/approvals/${task}`, { key: carol.secret })).body;
    expect(waiting).toMatchObject({ status: "pending", approvals: 2, may_decide: { allowed: true } });
    const mine = (await app.call("GET", "/v1/approvals?mine=true&limit=100", { key: carol.secret })).body.data;
    expect(mine.map(({ task_id }: { task_id: string }) => task_id)).toContain(task);
    expect((await approve(task, carol.secret)).body).toMatchObject({ status: "approved", approvals: 2 });
    expect(await taskRow(app, task)).toMatchObject({ status: "queued" });
  });

  it("of a voter who has left the team that a rule asks lets no task start: its persons are asked again", async () => {
    const [bob, carol] = [await person(), await person()];
    const set = (path: string, body: object) => app.call("PUT", path, { environment, body });
    const team = (members: string[]) => set("/v1/admin/teams/signers", { title: "Signers", members });
    await team([bob.memberId]);
    const require = { stages: [{ quorum: 1, teams: ["signers"] }] };
    await set("/v1/approvals/settings/rules/signed", {
      title: "Signed",
      when: { skills: ["summarize_lead"] },
      require,
    });
    const { task_id: task } = await app.dispatch({ task: "summarize_lead" }, { environment });
    expect((await approve(task, carol.secret)).body).toMatchObject({
      status: "pending",
      required_by: [{ id: "signed" }],
    });
    expect((await approve(task, bob.secret)).body.status).toBe("approved");
    await team([]);
    await process.refresh();
    expect(await process.port.start({ ...leaseOn(app, task, "staging") })).toMatchObject({
      reason: "awaiting_approval",
    });
    await app.call("DELETE", "/v1/approvals/settings/rules/signed", { environment, body: {} });
    expect(await read(task)).toMatchObject({ round: 2, status: "pending", required_by: [{ id: "signed" }] });
  });

  it.each([
    ["is gone", (member: string) => setRole(member, null)],
    ["has another e-mail address by now", (member: string) => readdress(member)],
  ])(
    "of a voter who %s lets no task start: people are asked again, in the next round, and it runs once they approve",
    async (_how, ends) => {
      const [bob, carol, dave] = [await person(), await person(), await person()];
      const { task_id: task } = await app.dispatch({ task: "summarize_lead" }, { environment });
      await approve(task, bob.secret);
      expect((await approve(task, carol.secret)).body.status).toBe("approved");
      expect((await ends(bob.memberId)).status).toBe(200);
      await process.refresh();
      const start = () => process.port.start({ ...leaseOn(app, task, "staging") });
      expect(await start()).toEqual({ claimed: false, reason: "awaiting_approval" });
      expect(await taskRow(app, task)).toMatchObject({ status: "awaiting_approval", attempt: 0, started_at: null });
      expect(await approvalsOf(app, task)).toMatchObject([
        { status: "superseded" },
        { status: "pending", approvers: 2, requester_allowed: false },
      ]);
      expect(await read(task)).toMatchObject({ round: 2, status: "pending", approvals: 0, votes: [] });
      const { previous_id } = await read(task);
      expect((await app.call("GET", `/v1/approvals/${previous_id}`, { environment })).body.reason).toContain(
        "e-mail address",
      );
      expect((await eventsOf(app, task)).at(-1)).toBe("task.approval_required");
      await approve(task, carol.secret);
      await approve(task, dave.secret);
      expect(await start()).toMatchObject({ claimed: true });
    },
  );
});

describe("where nobody can sign in personally", () => {
  const app = useApp({ personalSignIn: false });

  it("an approval that takes a second person says so, and refuses every vote with what to do", async () => {
    await app.deploy(environment);
    await app.verdict("open", environment);
    const { task_id: task } = await app.dispatch({}, { environment });
    const { secret } = await app.member("approver", environment);
    const { body } = await app.call("GET", `/v1/approvals/${task}`, { key: secret });
    expect(body).toMatchObject({
      risk: "high",
      requester_allowed: false,
      requester_allowed_reason: null,
      personal_sign_in_required: true,
      undecidable_reason: expect.stringContaining("OpenID Connect"),
      may_decide: { allowed: false, code: "no_second_person", reason: expect.stringContaining("sets one of them up") },
    });
    for (const [word, more] of [
      ["approve", {}],
      ["reject", { reason: "No." }],
      ["request-changes", { note: "Other." }],
      ["delegate", { to: "mbr_01jd8x0q3v7w9y2z4a6b8c0d1e", reason: "Theirs." }],
    ] as const) {
      const answered = await app.call("POST", `/v1/approvals/${task}/${word}`, {
        key: secret,
        body: word === "delegate" ? more : { digest: body.digest, ...more },
      });
      expect(answered, word).toMatchObject({ status: 403, body: { code: "no_second_person", stage: "permissions" } });
    }
    const { body: stop } = await app.call("POST", "/v1/governance/kill-switch", {
      environment,
      body: { kind: "tool", target: "mail", reason: "it harms", critical: true, allow_unknown: true },
    });
    expect(stop.release_requires).toContain("sign-in.md");
    const released = await app.call("DELETE", `/v1/governance/kill-switch/${stop.kill_switch_id}`, {
      key: secret,
      body: { reason: "mended" },
    });
    expect(released).toMatchObject({
      status: 403,
      body: { code: "no_second_person", detail: expect.stringContaining(stop.kill_switch_id) },
    });
    expect((await app.call("POST", `/v1/tasks/${task}/cancel`, { environment, body: {} })).status).toBe(202);
  });

  it("development still asks for one person, who may be the requester, and says why", async () => {
    const task = await ask(app, { risk_level: "critical" });
    const { body } = await app.call("GET", `/v1/approvals/${task}`);
    expect(body).toMatchObject({
      approvers: 1,
      requester_allowed: true,
      personal_sign_in_required: false,
      undecidable_reason: null,
      requester_allowed_reason: expect.stringContaining("Development relaxes approvals"),
      may_decide: { allowed: true },
    });
    expect(
      (await app.call("POST", `/v1/approvals/${task}/approve`, { body: { digest: body.digest } })).body.status,
    ).toBe("approved");
  });
});

describe("development under the setting approvals.strict", () => {
  const app = useApp();
  const process = useWorkerProcess(app);
  const strict = async (value: boolean | null) => {
    const etag = (await app.call("GET", "/v1/admin/settings")).headers.get("etag") ?? "";
    const changed = await app.call("PATCH", "/v1/admin/settings", {
      headers: { "if-match": etag },
      body: { settings: { approvals: { strict: value } } },
    });
    expect(changed.status, changed.text).toBe(200);
    await process.refresh();
    return changed.body.settings.approvals.strict;
  };
  const read = async (task: string, key?: string) =>
    (await app.call("GET", `/v1/approvals/${task}`, key ? { key } : {})).body;
  const approve = async (task: string, key: string) =>
    app.call("POST", `/v1/approvals/${task}/approve`, { key, body: { digest: (await read(task)).digest } });

  it("asks by risk, takes a person other than the requester, and only one who signed in personally", async () => {
    expect(await strict(true)).toBe(true);
    const { task_id: task } = await app.dispatch({ require_approval: false });
    expect(await read(task)).toMatchObject({
      risk: "high",
      reasons: ["Its risk is high."],
      requester_allowed: false,
      requester_allowed_reason: null,
      personal_sign_in_required: true,
    });
    expect((await approve(task, app.key("admin"))).body.code).toBe("four_eyes");
    const impersonal = await app.member("approver");
    expect((await read(task, impersonal.secret)).may_decide).toMatchObject({ code: "not_signed_in_personally" });
    expect((await approve(task, impersonal.secret)).body.code).toBe("not_signed_in_personally");
    expect((await approve(task, (await app.signedInMember("approver")).secret)).body.status).toBe("approved");
    expect(await strict(null)).toBe(false);
    expect((await app.dispatch({ require_approval: false })).status).toBe("queued");
  });

  it("does not let start what the requester approved before", async () => {
    const { task_id: task } = await app.dispatch();
    expect((await approve(task, app.key("admin"))).body.status).toBe("approved");
    await strict(true);
    expect(await process.port.start(leaseOn(app, task))).toEqual({ claimed: false, reason: "awaiting_approval" });
    expect(await approvalsOf(app, task)).toMatchObject([
      { status: "superseded" },
      { status: "pending", requester_allowed: false },
    ]);
    await strict(false);
  });

  it("takes the vote of a person again who has signed in personally since", async () => {
    const task = await ask(app, { approvers: 2 });
    const bob = await app.member("approver");
    expect((await approve(task, bob.secret)).body).toMatchObject({ approvals: 1 });
    await strict(true);
    expect(await read(task)).toMatchObject({
      approvals: 0,
      votes: [{ counts: false, not_counted_reason: expect.stringContaining("signed in personally") }],
    });
    await app.pool.query("update keys set personal = true where id = $1", [bob.keyId]); // as if issued to himself from a sign-in
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    expect((await read(task, bob.secret)).may_decide).toMatchObject({ allowed: true });
    expect((await approve(task, bob.secret)).body).toMatchObject({
      status: "pending",
      approvals: 1,
      votes: [{ counts: true }],
    });
    await strict(false);
  });

  it("is no setting of staging and production, which are always strict", async () => {
    for (const environment of ["staging", "production"] as const) {
      const { body, headers } = await app.call("GET", "/v1/admin/settings", { environment });
      expect(body.settings.approvals.strict).toBe(true);
      const refused = await app.call("PATCH", "/v1/admin/settings", {
        environment,
        headers: { "if-match": headers.get("etag") ?? "" },
        body: { settings: { approvals: { strict: false } } },
      });
      expect(refused).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "/settings/approvals/strict", code: "not_changeable" }] },
      });
    }
  });
});
