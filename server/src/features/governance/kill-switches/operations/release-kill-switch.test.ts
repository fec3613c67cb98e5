import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { wakeUpsFor } from "../../../../testing/tasks.ts";

const app = useSharedApp();
const path = "/v1/governance/kill-switch";
type Person = Awaited<ReturnType<typeof app.member>>;
let made = 0;
const engage = async (body: Record<string, unknown> = {}) => {
  const { status, body: stop } = await app.call("POST", path, {
    body: {
      kind: "tool",
      target: `tool_${++made}`,
      reason: "it harms",
      ...(body.kind === undefined && { allow_unknown: true }),
      ...body,
    },
  });
  expect(status).toBe(201);
  return stop;
};
const release = (stop: string, body: Record<string, unknown> = {}, key = "admin") =>
  app.call("DELETE", `${path}/${stop}`, { key, body: { reason: "it is mended", ...body } });
const inForce = async (stop: string) => {
  const { rows } = await app.pool.query("select mode from kill_switches where id = $1 and released_at is null", [stop]);
  return rows[0]?.mode ?? null;
};

describe("releasing a kill switch", () => {
  it("takes one, where it is not critical, and says so to subscribers", async () => {
    const stop = await engage();
    const { status, body } = await release(stop.kill_switch_id, {}, "approver");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: "released",
      release_reason: "it is mended",
      release_requested: null,
      released_at: expect.any(String),
    });
    const { rows } = await app.pool.query(
      "select body::json as body from events where type = 'kill_switch.released' order by id desc limit 1",
    );
    expect(rows[0].body).toMatchObject({
      kill_switch_id: stop.kill_switch_id,
      to: "released",
      mode: "stop",
      by: [body.released_by],
      reason: "it is mended",
    });
  });

  it("takes two persons where it is critical, and acts until the second has said so", async () => {
    const stop = await engage({ kind: "agent", target: "sales", critical: true });
    const [first, second] = [await app.member("approver"), await app.member("admin")];
    const asked = await release(stop.kill_switch_id, {}, first.secret);
    expect(asked.body).toMatchObject({
      state: "release_requested",
      release_requested: { by: first.memberId, to: "released", reason: "it is mended" },
    });
    expect(
      (await app.call("POST", "/v1/agents/sales/tasks", { body: { task: "qualify_lead", lead_id: "ld_1001" } })).status,
    ).toBe(409);
    const again = await release(stop.kill_switch_id, {}, first.secret);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      code: "second_person_required",
      expires_at: asked.body.release_requested.expires_at,
    });
    const done = await release(stop.kill_switch_id, {}, second.secret);
    expect(done.body).toMatchObject({ state: "released", released_by: second.memberId });
    const { rows } = await app.pool.query(
      "select body::json as body from events where type = 'kill_switch.released' order by id desc limit 1",
    );
    expect(rows[0].body.by).toEqual([first.memberId, second.memberId]);
    expect((await app.dispatch()).status).toBe("awaiting_approval");
  });

  it("takes no second word of somebody whose key the first one issued, nor of who issued the first one's", async () => {
    const [admin, { memberId }] = [await app.member("admin"), await app.member("admin")];
    const issue = async (key: string, body: object) =>
      (await app.call("POST", "/v1/admin/keys", { key, body: { name: "more", ...body } })).body.key;
    const issued = await issue(admin.secret, { role: "admin", for: { member: memberId } });
    const fromIssued = await issue(issued, { role: "approver" });
    for (const [first, second] of [
      [admin.secret, issued],
      [issued, admin.secret],
      [admin.secret, fromIssued],
      [fromIssued, admin.secret],
    ] as const) {
      const { kill_switch_id } = await engage({ critical: true });
      await release(kill_switch_id, {}, first);
      expect(await release(kill_switch_id, {}, second)).toMatchObject({
        status: 403,
        body: { code: "key_not_independent" },
      });
      expect(await inForce(kill_switch_id)).toBe("stop");
      expect((await release(kill_switch_id, {}, "approver")).body.state).toBe("released");
    }
  });

  it("of a critical one is for persons", async () => {
    const stop = await engage({ critical: true });
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "robot", role: "admin", for: { service_account: "robot" } },
    });
    const refused = await release(stop.kill_switch_id, {}, issued.body.key);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: "persons_only", stage: "permissions" });
    expect(await inForce(stop.kill_switch_id)).toBe("stop");
    expect((await release((await engage()).kill_switch_id, {}, issued.body.key)).status).toBe(200);
  });

  it("goes in stages: to a pause first, which is in force still", async () => {
    const stop = await engage({ kind: "agent", target: "sales" });
    const loosened = await release(stop.kill_switch_id, { to: "pause" });
    expect(loosened.body).toMatchObject({ state: "engaged", mode: "pause" });
    const { task_id } = await app.dispatch({ require_approval: false });
    const again = await release(stop.kill_switch_id, { to: "pause" });
    expect([again.status, again.body.code]).toEqual([409, "wrong_state"]);
    await app.pool.query("delete from graphile_worker._private_jobs");
    expect((await release(stop.kill_switch_id)).body.state).toBe("released");
    expect(await wakeUpsFor(app, task_id)).toBe(1);
  });

  it("goes to a pause only from a stop: a drain, which lets work that runs end, would become stricter by it", async () => {
    for (const mode of ["drain", "pause"]) {
      const stop = await engage({ kind: "agent", target: "sales", mode });
      const refused = await release(stop.kill_switch_id, { to: "pause" });
      expect([refused.status, refused.body.code]).toEqual([409, "wrong_state"]);
      expect(refused.body.detail).toContain(`is a ${mode}`);
      expect(await inForce(stop.kill_switch_id)).toBe(mode);
      expect((await release(stop.kill_switch_id)).body.state).toBe("released");
    }
  });

  it.each<[string, (first: Person) => Promise<unknown>]>([
    ["their key was revoked", ({ keyId }) => app.call("DELETE", `/v1/admin/keys/${keyId}`)],
    [
      "their key expired",
      ({ keyId }) => app.pool.query("update keys set expires_at = now() - interval '1 second' where id = $1", [keyId]),
    ],
    [
      "their role was taken",
      ({ memberId }) => app.call("PUT", `/v1/admin/members/${memberId}`, { body: { role: null } }),
    ],
    [
      "their role was lowered and they may no longer release",
      ({ memberId }) =>
        app.pool.query(`update members set roles = '{"development":"operator"}' where id = $1`, [memberId]),
    ],
    [
      "they were removed",
      ({ memberId }) => app.pool.query("update members set removed_at = now() where id = $1", [memberId]),
    ],
  ])("does not count the word of the first person after %s", async (_what, ends) => {
    const stop = await engage({ critical: true });
    const [first, second, third] = [
      await app.member("approver"),
      await app.member("approver"),
      await app.member("approver"),
    ];
    expect((await release(stop.kill_switch_id, {}, first.secret)).body.state).toBe("release_requested");
    await ends(first);
    const asked = await release(stop.kill_switch_id, {}, second.secret);
    expect(asked.body).toMatchObject({ state: "release_requested", release_requested: { by: second.memberId } });
    expect(await inForce(stop.kill_switch_id)).toBe("stop");
    expect((await release(stop.kill_switch_id, {}, third.secret)).body).toMatchObject({
      state: "released",
      released_by: third.memberId,
    });
  });

  it("of everything does not count the word of a person who may no longer release in one of the environments", async () => {
    const everywhere = async (role: string) => {
      const person = await app.signedInMember("admin");
      const roles = { development: "admin", staging: "admin", production: role };
      await app.pool.query("update members set roles = $2 where id = $1", [person.memberId, JSON.stringify(roles)]);
      return person;
    };
    const [first, second] = [await everywhere("admin"), await everywhere("admin")];
    const { body: stop } = await app.call("POST", path, {
      key: first.secret,
      body: { kind: "all", mode: "pause", reason: "it harms" },
    });
    expect((await release(stop.kill_switch_id, {}, first.secret)).body.state).toBe("release_requested");
    await app.pool.query('update members set roles = roles || \'{"production":"viewer"}\' where id = $1', [
      first.memberId,
    ]);
    const asked = await release(stop.kill_switch_id, {}, second.secret);
    expect(asked.body).toMatchObject({ state: "release_requested", release_requested: { by: second.memberId } });
    expect(await inForce(stop.kill_switch_id)).toBe("pause");
    await app.pool.query('update members set roles = roles || \'{"production":"approver"}\' where id = $1', [
      first.memberId,
    ]);
    expect((await release(stop.kill_switch_id, {}, first.secret)).body.state).toBe("released");
  });

  it("answers for one that is released who did it and when", async () => {
    const stop = await engage();
    const { body: released } = await release(stop.kill_switch_id);
    const { status, body } = await release(stop.kill_switch_id);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "kill_switch_already_released",
      released_by: released.released_by,
      released_at: released.released_at,
    });
  });

  it("of one that acts everywhere is done where it was engaged", async () => {
    const { secret, memberId } = await app.signedInMember("admin", "staging");
    await app.pool.query(
      `update members set roles = '{"development":"admin","staging":"admin","production":"admin"}' where id = $1`,
      [memberId],
    );
    const { body: stop } = await app.call("POST", path, {
      key: secret,
      body: { kind: "all", mode: "pause", reason: "it harms" },
    });
    const refused = await release(stop.kill_switch_id);
    expect([refused.status, refused.body.code]).toEqual([409, "wrong_state"]);
    expect(refused.body.detail).toContain("staging");
    expect(await inForce(stop.kill_switch_id)).toBe("pause");
    expect(
      (await app.call("DELETE", `${path}/${stop.kill_switch_id}`, { key: secret, body: { reason: "x" } })).body.state,
    ).toBe("release_requested");
    const own = await app.signedInMember("approver", "staging");
    const lacking = await release(stop.kill_switch_id, {}, own.secret);
    expect([lacking.status, lacking.body.code]).toEqual([403, "insufficient_scope"]);
    expect(lacking.body.detail).toContain("development and production");
    expect(await inForce(stop.kill_switch_id)).toBe("pause");
    await app.pool.query(
      `update members set roles = '{"development":"approver","staging":"approver","production":"admin"}' where id = $1`,
      [own.memberId],
    );
    expect((await release(stop.kill_switch_id, {}, own.secret)).body.state).toBe("released");
  });

  it("of two at once by one person counts once", async () => {
    const stop = await engage({ critical: true });
    const answers = await Promise.all([release(stop.kill_switch_id), release(stop.kill_switch_id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await inForce(stop.kill_switch_id)).toBe("stop");
  });
});

describe("a kill switch that nobody could release, since nobody can sign in personally", () => {
  const laptop = useApp({ personalSignIn: false });
  const engageThere = (body: object, more = "", options: object = {}) =>
    laptop.call("POST", `${path}${more}`, { ...options, body: { reason: "it harms", mode: "pause", ...body } });

  it("is engaged all the same and says what its release needs, as do its dry run and the list", async () => {
    const { secret, memberId } = await laptop.member("admin");
    const everywhere = JSON.stringify({ development: "admin", staging: "admin", production: "admin" });
    await laptop.pool.query("update members set roles = $2 where id = $1", [memberId, everywhere]);
    const dry = await engageThere({ kind: "all" }, "?dry_run=true", { key: secret });
    expect(dry.body.stages).toContainEqual(
      expect.objectContaining({
        stage: "compliance",
        reasons: expect.arrayContaining([expect.stringContaining("docs/operations/sign-in.md")]),
      }),
    );
    const engaged = await engageThere({ kind: "all" }, "", { key: secret });
    expect([engaged.status, engaged.body.release_requires]).toEqual([201, expect.stringContaining("nobody can here")]);
    const listed = (await laptop.call("GET", path)).body.data.find(
      ({ kill_switch_id }: { kill_switch_id: string }) => kill_switch_id === engaged.body.kill_switch_id,
    );
    expect(listed.release_requires).toBe(engaged.body.release_requires);
    expect(
      (await engageThere({ kind: "environment" }, "", { environment: "staging" })).body.release_requires,
    ).toContain("nobody can here");
  });

  it("is not one that one person releases, or two with any key of theirs", async () => {
    expect((await engageThere({ kind: "environment" })).body.release_requires).toBeNull();
    expect(
      (await engageThere({ kind: "tool", target: "unused", allow_unknown: true }, "", { environment: "staging" })).body
        .release_requires,
    ).toBeNull();
    expect((await engage({ critical: true })).release_requires).toBeNull();
  });
});
