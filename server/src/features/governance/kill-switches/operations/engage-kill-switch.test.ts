import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const path = "/v1/governance/kill-switch";
const engage = (body: Record<string, unknown>, options: Parameters<typeof app.call>[2] = {}) =>
  app.call("POST", path, { body: { reason: "it harms", ...body }, ...options });
/** Of a tool that no agent has, so that it stops nothing of what other tests do. */
const unused = (target: string) => ({ kind: "tool", target, allow_unknown: true });
const release = (stop: string, environment: "development" | "staging" = "development") =>
  app.pool
    .query("update kill_switches set released_at = now(), released_by = 'test' where id = $1 and environment = $2", [
      stop,
      environment,
    ])
    .then(() => app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'kill_switches'"))
    .then(() => app.app.facts.refresh());
const dispatch = (body: Record<string, unknown> = {}) =>
  app.call("POST", "/v1/agents/sales/tasks", {
    body: { task: "qualify_lead", lead_id: "ld_1001", require_approval: true, ...body },
  });

describe("engaging a kill switch", () => {
  it("refuses dispatches of what it names at once, with who stopped what and why, and no others", async () => {
    const { status, body } = await engage({ kind: "skill", target: "sales.qualify_lead", reason: "wrong prices" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: "skill",
      target: "sales.qualify_lead",
      mode: "stop",
      critical: false,
      state: "engaged",
      tasks_ended: 0,
      time_to_stop_ms: null,
    });
    const refused = await dispatch();
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: "kill_switch_engaged",
      stage: "compliance",
      kill_switch: {
        kill_switch_id: body.kill_switch_id,
        kind: "skill",
        target: "sales.qualify_lead",
        mode: "stop",
        reason: "wrong prices",
      },
    });
    const { rows } = await app.pool.query("select source, kind, reason_code from violations where id = $1", [
      refused.headers.get("audit-ref"),
    ]);
    expect(rows).toEqual([{ source: body.kill_switch_id, kind: "blocked", reason_code: "kill_switch_engaged" }]);
    await release(body.kill_switch_id);
    expect((await dispatch()).status).toBe(202);
  });

  it("accepts work under a pause, and refuses it under a drain", async () => {
    const paused = await engage({ kind: "agent", target: "sales", mode: "pause" });
    expect((await dispatch()).status).toBe(202);
    const drained = await engage({ kind: "agent", target: "sales", mode: "drain" });
    expect((await dispatch()).body).toMatchObject({
      code: "kill_switch_engaged",
      kill_switch: { kill_switch_id: drained.body.kill_switch_id, mode: "drain" },
    });
    await release(paused.body.kill_switch_id);
    await release(drained.body.kill_switch_id);
  });

  it("names the version of an agent by its id", async () => {
    const { rows } = await app.pool.query<{ id: string }>(
      "select id from agent_versions where agent = 'sales' and number = 1",
    );
    const { body } = await engage({ kind: "version", target: rows[0]?.id });
    expect((await dispatch()).status).toBe(409);
    await release(body.kill_switch_id);
  });

  it("acts in the environment of its key only, and of the kind all in every one", async () => {
    await app.deploy("staging");
    const dispatchIn = (environment: "staging") =>
      app.call("POST", "/v1/agents/sales/tasks", {
        environment,
        body: { task: "qualify_lead", lead_id: "ld_1001", require_approval: true },
      });
    const here = await engage({ kind: "environment" });
    expect(here.body).toMatchObject({ critical: true, target: null });
    expect((await dispatch()).status).toBe(409);
    expect((await dispatchIn("staging")).status).toBe(202);
    await release(here.body.kill_switch_id);
    const everywhereAdmin = await app.member("admin");
    await app.pool.query(
      `update members set roles = '{"development":"admin","staging":"admin","production":"admin"}' where id = $1`,
      [everywhereAdmin.memberId],
    );
    const everywhere = await engage({ kind: "all" }, { key: everywhereAdmin.secret });
    expect(everywhere.status).toBe(201);
    expect((await dispatchIn("staging")).body).toMatchObject({
      code: "kill_switch_engaged",
      kill_switch: { kind: "all" },
    });
    await release(everywhere.body.kill_switch_id);
  });

  it("of everything asks for a member who is admin in every environment", async () => {
    const { status, body } = await engage({ kind: "all" });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: "all_environments_admin_required",
      detail: expect.stringContaining("staging and production"),
    });
  });

  it("tells its subscribers", async () => {
    const { body } = await engage({ ...unused("told"), critical: true });
    const { rows } = await app.pool.query(
      "select body::json as body from events where type = 'kill_switch.engaged' order by id desc limit 1",
    );
    expect(rows[0].body).toEqual({
      event: "kill_switch.engaged",
      kill_switch_id: body.kill_switch_id,
      kind: "tool",
      target: "told",
      mode: "stop",
      critical: true,
      reason: "it harms",
      by: body.engaged_by,
    });
  });

  it("answers the same stop again with the one that is in force, and takes another mode beside it", async () => {
    const first = await engage({ ...unused("twice") });
    const again = await engage({ ...unused("twice"), reason: "another" });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      code: "kill_switch_already_engaged",
      kill_switch_id: first.body.kill_switch_id,
    });
    expect((await engage({ ...unused("twice"), mode: "pause" })).status).toBe(201);
  });

  it("is entered beside one that a single person may release, where two are to", async () => {
    await engage({ ...unused("guarded") });
    const critical = await engage({ ...unused("guarded"), critical: true });
    expect([critical.status, critical.body.critical]).toEqual([201, true]);
    for (const again of [true, false]) {
      const { status, body } = await engage({ ...unused("guarded"), critical: again });
      expect([status, body.code]).toEqual([409, "kill_switch_already_engaged"]);
    }
  });

  it("lets one of several that come at once win", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => engage({ ...unused("raced") })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it.each([
    [{ kind: "environment", target: "development" }, "/target", "not_allowed"],
    [{ kind: "environment", critical: false }, "/critical", "not_allowed"],
    [{ kind: "agent" }, "/target", "required"],
    [{ kind: "agent", target: "nobody" }, "/target", "unknown_agent"],
    [{ kind: "skill", target: "sales" }, "/target", "form"],
    [{ kind: "skill", target: "sales.qualify_lead.x" }, "/target", "form"],
    [{ kind: "skill", target: "nobody.qualify_lead" }, "/target", "unknown_agent"],
    [{ kind: "skill", target: "sales.qualify_leads" }, "/target", "unknown_skill"],
    [{ kind: "version", target: "ver_1" }, "/target", "unknown_version"],
    [{ kind: "tool", target: "get_lead", mode: "drain" }, "/mode", "not_allowed"],
    [{ kind: "agent", target: "sales", allow_unknown: true }, "/allow_unknown", "not_allowed"],
    [{ kind: "tool", target: "get_laed" }, "/target", "unknown_tool"],
    [{ kind: "model", target: "builtn" }, "/target", "unknown_model"],
    [{ kind: "workflow", target: "refnd" }, "/target", "unknown_workflow"],
  ])("says what is wrong with %j", async (body, pointer, code) => {
    const answered = await engage(body);
    expect(answered.status).toBe(422);
    expect(answered.body.errors).toEqual([{ pointer, code, detail: expect.any(String) }]);
  });

  it.each([
    ["agent", "salse", "sales"],
    ["skill", "salse.qualify_lead", "sales"],
    ["tool", "get_laed", "get_lead"],
  ])("suggests the nearest name of a %s", async (kind, target, nearest) => {
    expect((await engage({ kind, target })).body.errors[0].detail).toContain(`did you mean ${nearest}?`);
  });

  it("is bounded by the agents that a key is narrowed to", async () => {
    const { secret, keyId } = await app.member("operator");
    await app.pool.query("update keys set agents = '{sales}' where id = $1", [keyId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    const wide = await engage({ ...unused("of_all") }, { key: secret });
    expect(wide.status).toBe(403);
    expect(wide.body).toMatchObject({ code: "insufficient_scope", stage: "permissions" });
    const own = await engage({ kind: "agent", target: "sales", mode: "pause" }, { key: secret });
    expect(own.status).toBe(201);
    await release(own.body.kill_switch_id);
  });
});
