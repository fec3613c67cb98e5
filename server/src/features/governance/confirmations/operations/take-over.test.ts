import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const path = "/v1/governance/take-overs";
const takeOver = (key: string, object: string) => app.call("POST", path, { key, body: { object } });

async function schedule(key: string) {
  const body = { task: "qualify_lead", input: { lead_id: "ld_1001" }, schedule: "0 7 * * *" };
  const made = await app.call("POST", "/v1/agents/sales/schedules", { key, body });
  return { object: `schedule:${made.body.schedule_id}`, id: made.body.schedule_id as string };
}
const shown = async (id: string) =>
  (await app.call("GET", "/v1/agents/sales/schedules")).body.data.find(
    (one: { schedule_id: string }) => one.schedule_id === id,
  );

describe("taking over what acts in another's name", () => {
  it("makes the caller its owner, starts it again, keeps its deciders, and tells so", async () => {
    const [alice, bob] = [await app.member("builder"), await app.member("builder")];
    const { object, id } = await schedule(alice.secret);
    await app.pool.query(
      "update agent_schedules set stopped_at = now(), next_at = null, stopped_reason = 'Stopped: gone. Somebody else can take it over.' where id = $1",
      [id],
    );
    const { status, body } = await takeOver(bob.secret, object);
    expect([status, body]).toEqual([
      200,
      { object, owner: bob.memberId, previous_owner: alice.memberId, stopped_reason: null },
    ]);
    expect(await shown(id)).toMatchObject({ runs_as: bob.memberId, stopped_reason: null, next_at: expect.any(String) });
    const { body: content } = await app.call("GET", `/v1/governance/contents/${object}`);
    const persons = content.deciders.map(({ member }: { member: { id: string } }) => member.id);
    expect(persons).toEqual([alice.memberId]);
    const { rows } = await app.pool.query("select body::json as body from events where type = 'automation.taken_over'");
    expect(rows).toEqual([{ body: { event: "automation.taken_over", object, owner: bob.memberId } }]);
  });

  it("is for persons whose role includes what it does", async () => {
    const alice = await app.member("builder");
    const { object } = await schedule(alice.secret);
    const approver = await takeOver(app.key("approver"), object);
    expect([approver.status, approver.body.missing_scope]).toEqual([403, "tasks:write"]);
    const robot = await app.call("POST", "/v1/admin/keys", {
      body: { name: "robot", role: "admin", for: { service_account: "robot" } },
    });
    const refused = await takeOver(robot.body.key, object);
    expect([refused.status, refused.body.code]).toEqual([403, "persons_only"]);
  });

  it("refuses the owner of what goes on, what is not there and kinds that do not act", async () => {
    const alice = await app.member("builder");
    const { object } = await schedule(alice.secret);
    const own = await takeOver(alice.secret, object);
    expect([own.status, own.body.code]).toEqual([409, "already_yours"]);
    expect((await takeOver(alice.secret, "schedule:sch_01jd8x0000000000000000000s")).status).toBe(404);
    const unknown = await takeOver(alice.secret, "agent:sales@1");
    expect([unknown.status, unknown.body.errors[0].code]).toEqual([422, "unknown_kind"]);
  });
});
