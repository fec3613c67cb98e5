import { beforeAll, describe, expect, it } from "vitest";
import { type Cast, castIn, must, payingAgent } from "../../../testing/actors.ts";
import { useApp } from "../../../testing/app.ts";
import { signIn } from "../../../testing/sessions.ts";

const app = useApp();
const environment = "staging";

/** A payment that Alice asks for, of an agent that Bob decided, where `decided`. */
async function payment(cast: Cast, { decided = false } = {}) {
  const agent = await payingAgent(app, cast);
  const deciders = [{ id: cast.bob.memberId, how: "agent", of: `agent:${agent}@1`, at: "2026-11-20T09:30:00.000Z" }];
  if (decided) {
    await app.pool.query("update agent_versions set deciders = $2 where agent = $1", [agent, JSON.stringify(deciders)]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'agents'");
    await app.app.facts.refresh();
  }
  const body = { task: "settle", amount: 240 };
  const { task_id } = await must(app, 202, cast.alice, "POST", `/v1/agents/${agent}/tasks`, body);
  return { agent, task: task_id as string };
}
const read = async (task: string, { secret }: { secret: string }) =>
  (await app.call("GET", `/v1/approvals/${task}`, { key: secret })).body;

/** Nobody else may decide in the environment. */
async function onlyThese(cast: Cast, ...others: { memberId: string }[]): Promise<void> {
  const ids = [cast.alice, cast.bob, ...others].map(({ memberId }) => memberId);
  await app.pool.query("update members set roles = roles - $1 where not id = any($2)", [environment, ids]);
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
  await app.app.facts.refresh();
}

describe("who stands behind an approval", () => {
  it("is shown person by person, with what each did, and told to whoever is refused for it", async () => {
    const cast = await castIn(app, environment);
    const { agent, task } = await payment(cast, { decided: true });
    const { requesters, could_decide, undecidable_reason, may_decide } = await read(task, cast.bob);
    expect(requesters).toEqual([
      expect.objectContaining({ member: expect.objectContaining({ id: cast.alice.memberId }), how: "owner", of: null }),
      {
        member: { id: cast.bob.memberId, name: expect.any(String), kind: "person" },
        how: "agent",
        text: "changed the agent's instructions, skills or tools",
        of: `agent:${agent}@1`,
        at: "2026-11-20T09:30:00.000Z",
      },
    ]);
    const names = could_decide.members.map(({ id }: { id: string }) => id);
    expect(names).toContain(cast.carol.memberId);
    expect(names).not.toContain(cast.alice.memberId);
    expect(names).not.toContain(cast.bob.memberId);
    expect(could_decide.count).toBe(names.length);
    expect(undecidable_reason).toBeNull();
    expect(may_decide).toEqual({
      allowed: false,
      code: "four_eyes",
      reason: `You changed the agent's instructions, skills or tools (agent:${agent}@1), and the approval demands another person; have someone else decide, or have a second person confirm agent:${agent}@1 before it is asked for again.`,
    });
    expect((await read(task, cast.alice)).may_decide.reason).toBe(
      "You asked for this, and the approval demands another person; have someone else decide.",
    );
  });

  it("names nobody who could decide once it is decided, or who handed it on", async () => {
    const cast = await castIn(app, environment);
    const { task } = await payment(cast);
    const reason = "Theirs.";
    await must(app, 200, cast.bob, "POST", `/v1/approvals/${task}/delegate`, { to: cast.carol.memberId, reason });
    const open = await read(task, cast.carol);
    const names = open.could_decide.members.map(({ id }: { id: string }) => id);
    expect([names.includes(cast.bob.memberId), names.includes(cast.carol.memberId)]).toEqual([false, true]);
    await must(app, 200, cast.carol, "POST", `/v1/approvals/${task}/approve`, { digest: open.digest });
    expect((await read(task, cast.carol)).could_decide).toEqual({ count: 0, members: [], more: false });
  });

  it("shows which rules anybody changed within the day, and bars nobody for it", async () => {
    const cast = await castIn(app, environment);
    const policy = { name: "Held", scope: {}, when: "false", effect: "deny", params: {} };
    const text = { ...policy, reason_code: "held", message: "Held." };
    const made = await app.call("POST", "/v1/governance/policies", { key: cast.alice.secret, body: text });
    const id = made.body.policy_id as string;
    const retire = { key: cast.bob.secret, body: {}, headers: { "if-match": made.headers.get("etag") as string } };
    expect((await app.call("DELETE", `/v1/governance/policies/${id}`, retire)).status).toBe(200);
    const etag = (await app.call("GET", "/v1/admin/settings", { key: cast.alice.secret })).headers.get(
      "etag",
    ) as string;
    const settings = { settings: { rate: { per_second: 77 } } };
    const slower = { key: cast.alice.secret, body: settings, headers: { "if-match": etag } };
    expect((await app.call("PATCH", "/v1/admin/settings", slower)).status).toBe(200);
    const { task } = await payment(cast);
    const { loosened, may_decide } = await read(task, cast.bob);
    expect(loosened).toEqual([
      expect.objectContaining({
        what: expect.stringMatching(/^Changed the settings .*per_second/),
        object: "settings",
      }),
      expect.objectContaining({ what: "Retired the policy Held", object: `policy:${id}` }),
      expect.objectContaining({ what: "Created the policy Held, now shadow", object: `policy:${id}` }),
    ]);
    const { alice, bob } = cast;
    expect(loosened.map(({ by }: { by: { id: string } }) => by.id)).toEqual([
      alice.memberId,
      bob.memberId,
      alice.memberId,
    ]);
    expect(may_decide.allowed).toBe(true);
    await app.pool.query("update rule_changes set id = 'rch_01jd8x0000000000000000000a' where object = 'settings'");
    expect((await read(task, cast.carol)).loosened).toHaveLength(2);
  });

  it("does not show a key that is narrowed to agents which rules of other agents were changed", async () => {
    const cast = await castIn(app, environment);
    const { agent, task } = await payment(cast);
    const limits = [{ unit: "tasks", period: "day", hard: 500 }];
    const text = { when: "false", effect: "deny", params: {}, reason_code: "held", message: "Held." };
    await app.pool.query("delete from rule_changes");
    for (const name of ["sales", agent]) {
      await must(app, 200, cast.carol, "PUT", `/v1/governance/budgets/agent:${name}`, { limits });
      const policy = { ...text, name: `Hold ${name}`, scope: { agents: [`${name}*`] } };
      await must(app, 201, cast.carol, "POST", "/v1/governance/policies", policy);
    }
    await must(app, 201, cast.carol, "POST", "/v1/governance/policies", { ...text, name: "Hold all", scope: {} });
    const samples = [{ output: { team: "a" }, expected: { team: "a" }, score: 1 }];
    const scorer = { kind: "exact", pointer: "/team", samples };
    await must(app, 200, cast.carol, "PUT", "/v1/evaluations/scorers/same", scorer);
    const issued = { name: "narrowed", role: "approver", agents: [agent] };
    const { key } = await must(app, 201, cast.carol, "POST", "/v1/admin/keys", issued);
    const shown = async (secret: string) =>
      (await read(task, { secret })).loosened.map(({ what }: { what: string }) => what);
    const own = [
      "Created the policy Hold all, now shadow",
      `Created the policy Hold ${agent}, now shadow`,
      `Changed the budget of agent:${agent}`,
    ];
    expect(await shown(key)).toEqual(own);
    expect(await shown(cast.carol.secret)).toEqual([
      "Created the scorer same",
      ...own,
      "Created the policy Hold sales, now shadow",
      "Changed the budget of agent:sales",
    ]);
  });

  it("says what to do where nobody else is left to decide it", async () => {
    const cast = await castIn(app, environment);
    const { agent, task } = await payment(cast, { decided: true });
    await onlyThese(cast);
    const { could_decide, undecidable_reason: reason } = await read(task, cast.bob);
    expect(could_decide.count).toBe(0);
    expect(reason).toContain("and nobody in staging can give it");
    expect(reason).toContain("give another person the role approver or admin");
    expect(reason).toMatch(new RegExp(`Or have .+ look at agent:${agent}@1 and confirm it, and ask again`));
    const object = `agent:${agent}@1`;
    const session = await signIn(app, { key: cast.alice.secret });
    const { digest } = (await session.call("GET", `/v1/governance/contents/${object}`)).body;
    const confirmed = await session.change("POST", "/v1/governance/confirmations", { object, digest });
    expect(confirmed.status, confirmed.text).toBe(201);
    expect((await read(task, cast.bob)).undecidable_reason).toMatch(/there\. Or ask again: then .+ may decide\.$/);
  });

  describe("and nobody else is left", () => {
    let cast: Cast;
    let task: string;
    beforeAll(async () => {
      cast = await castIn(app, environment);
      ({ task } = await payment(cast, { decided: true }));
      for (const [name, { memberId }] of [["Alice", cast.alice] as const, ["Bob", cast.bob] as const])
        await app.pool.query("update members set name = $2 where id = $1", [memberId, name]);
      await onlyThese(cast);
    });

    /** What is said to do where Alice asked, and Bob did these things. */
    async function advice(...did: (readonly [how: string, of: string | null])[]): Promise<string | null> {
      const { alice, bob } = cast;
      const person = ({ memberId }: { memberId: string }, how: string, of: string | null) => ({
        id: memberId,
        how,
        of,
        at: "2026-11-20T09:30:00.000Z",
      });
      const persons = [person(alice, "owner", null), ...did.map(([how, of]) => person(bob, how, of))];
      await app.pool.query("update approvals set requesters = $2 where task_id = $1", [task, JSON.stringify(persons)]);
      const { undecidable_reason: reason } = await read(task, bob);
      const [, said] = /there\.(?: (Or .*))?$/.exec(reason) as RegExpExecArray;
      return said ?? null;
    }
    const how = "(`knowledge.reviewDocument` with `If-Match`, signed in personally)";
    const then = "then Bob may decide.";

    it.each([
      ["document", "document:doc_1", `have Alice review document:doc_1 ${how}, and ask again`],
      [
        "connector",
        "connector:con_1",
        `have Alice review the document that connector:con_1 brought ${how}, and ask again`,
      ],
      [
        "wrote",
        "conversation:cnv_1",
        "start a new conversation in the portal in which Bob does not write, and ask again",
      ],
      ["channel", "channel:mail", "start a new conversation in the portal in which Bob does not write, and ask again"],
      ["secret", "hook:shop", "have Alice rotate the secret of hook:shop without an overlap, and ask again"],
      ["edited", "approval:apr_1", "cancel it and ask again without edits, notes or answers by Bob"],
      ["note", "approval:apr_1", "cancel it and ask again without edits, notes or answers by Bob"],
      ["answered", null, "cancel it and ask again without edits, notes or answers by Bob"],
    ])("says what frees who counts for %s", async (part, of, expected) => {
      expect(await advice([part, of])).toBe(`Or ${expected}: ${then}`);
    });

    it("says all that it takes", async () => {
      const said = await advice(["agent", "agent:payer@1"], ["wrote", "conversation:cnv_1"], ["answered", null]);
      expect(said).toBe(
        `Or have Alice look at agent:payer@1 and confirm it, and start a new conversation in the portal in which Bob does not write, and cancel it and ask again without edits, notes or answers by Bob: ${then}`,
      );
    });

    it.each([
      ["input", null],
      ["issuer", null],
      ["document", "chunk:doc_1#3"],
    ])("says nothing where nothing frees who counts for %s of %s", async (part, of) => {
      expect(await advice([part, of])).toBeNull();
      expect(await advice([part, of], ["wrote", "conversation:cnv_1"])).toBeNull();
    });
  });
});
