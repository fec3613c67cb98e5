import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

let agents = 0;
/** A new agent with a version that is live in these environments. */
async function newAgent(...environments: string[]): Promise<string> {
  const agent = `archived-${++agents}`;
  const skills = [{ name: "answer", input: { type: "object" } }];
  await app.call("POST", "/v1/agents", { body: { agent, description: "", model: { provider: "builtin" }, skills } });
  await app.call("POST", `/v1/agents/${agent}/versions`, { body: {} });
  for (const environment of environments) {
    await app.pool.query(
      `insert into deployments (organization, environment, id, agent, version_number, state, author)
       values ('default', $1, $2, $3, 1, 'live', 'test')`,
      [environment, app.app.newId("dep"), agent],
    );
  }
  return agent;
}
const archive = (agent: string, body: object = { reason: "Not needed." }) =>
  app.call("DELETE", `/v1/agents/${agent}`, { body });
const eventsOf = async (agent: string): Promise<{ type: string }[]> =>
  (await app.pool.query("select body from events where body like $1 order by id", [`%"${agent}"%`])).rows.map(
    ({ body }) => JSON.parse(body),
  );

describe("archiving an agent", () => {
  it("ends what is live of it here, tells so, and keeps who did it, when and why", async () => {
    const agent = await newAgent("development");
    const { status, body } = await archive(agent, { reason: "Replaced by another." });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "archived", deployment: null, revision: 2 });
    expect(body.paused).toMatchObject({ mode: "drain", reason: "Replaced by another." });
    const { rows } = await app.pool.query(
      "select state, ended_by, ended_at is not null as ended from deployments where agent = $1",
      [agent],
    );
    expect(rows).toEqual([{ state: "ended", ended_by: body.paused.by, ended: true }]);
    const stored = await app.pool.query("select archived_by from agents where name = $1", [agent]);
    expect(stored.rows).toEqual([{ archived_by: body.paused.by }]);
    expect(await eventsOf(agent)).toEqual([
      {
        event: "deployment.changed",
        agent,
        deployment_id: expect.stringMatching(/^dep_/),
        version: null,
        previous_version: 1,
        kind: "end",
        by: body.paused.by,
      },
    ]);
  });

  it("ends its schedules in every environment", async () => {
    const agent = await newAgent("development");
    await app.pool.query(
      `insert into agent_schedules (organization, environment, id, agent, definition, principal, author, created_at, updated_at)
       select 'default', e, 'sch_of_' || $1, $1, '{}', 'test', 'test', now(), now() from unnest(array['development', 'staging']) e`,
      [agent],
    );
    await archive(agent);
    const left = await app.pool.query("select from agent_schedules where agent = $1", [agent]);
    expect(left.rowCount).toBe(0);
  });

  it("tells of no deployment where none was live", async () => {
    const agent = await newAgent();
    expect((await archive(agent)).status).toBe(200);
    expect(await eventsOf(agent)).toEqual([]);
  });

  it("has open work cancelled where that is asked for", async () => {
    const agent = await newAgent();
    expect((await archive(agent, { reason: "Wrong answers.", mode: "cancel" })).body.paused).toMatchObject({
      mode: "cancel",
    });
  });

  it("is refused while another environment runs it, and ends nothing then", async () => {
    const agent = await newAgent("development", "staging");
    const { status, body } = await archive(agent);
    expect([status, body.code, body.detail]).toEqual([
      409,
      "agent_deployed_elsewhere",
      expect.not.stringContaining("staging"),
    ]);
    expect((await app.call("GET", `/v1/agents/${agent}`)).body).toMatchObject({
      status: expect.not.stringContaining("archived"),
      paused: null,
    });
    await app.pool.query("update deployments set state = 'replaced' where agent = $1 and environment = 'staging'", [
      agent,
    ]);
    expect((await archive(agent)).status).toBe(200);
  });

  it("happens once", async () => {
    const agent = await newAgent();
    const all = await Promise.all([archive(agent), archive(agent), archive(agent)]);
    expect(all.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      200,
      "agent_archived",
      "agent_archived",
    ]);
  });

  it("keeps new work away at once, and keeps versions and the list", async () => {
    const agent = await newAgent("development");
    await archive(agent);
    expect((await app.call("POST", `/v1/agents/${agent}/tasks`, { body: { task: "answer" } })).status).toBe(404);
    expect((await app.call("GET", `/v1/agents/${agent}/versions/1`)).status).toBe(200);
    const { data } = (await app.call("GET", "/v1/agents?status=archived")).body;
    expect(data.map((one: { agent: string }) => one.agent)).toContain(agent);
  });
});
