import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { newDraft } from "../../agents/tools/tools.fixture.ts";
import { writing } from "../tools.fixture.ts";

const app = useApp();
const toolsOf = async (agent: string, query = "") => (await app.call("GET", `/v1/agents/${agent}/tools${query}`)).body;

it("says of each tool who may call it, by whose credentials, and whether people are asked", async () => {
  const { agent } = await newDraft(app, [writing]);
  const { version, tools } = await toolsOf(agent);
  expect(version).toBeNull();
  expect(tools[0]).toMatchObject({
    tool: "look",
    permission: "allowed",
    approval: { mode: "never" },
    credentials: null,
  });
  expect(tools[1]).toMatchObject({
    tool: "send",
    effect: "write",
    skills: ["answer"],
    definition: writing,
    credentials: { connection: "crm", present: false },
    approval: { mode: expect.stringMatching(/after_reading|always/), approvers: 1 },
  });
});

it("shows what policies and pauses say now, and what was used last", async () => {
  const { tools } = await toolsOf("sales", "?version=live");
  expect(tools[0]).toMatchObject({ tool: "get_lead", permission: "allowed", last_used_at: null });
  const { task_id } = await app.dispatch();
  await app.pool.query(
    `insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, failure, started_at)
     values ('default', 'development', $2, $1, 1, 1, 'tool', 'get_lead', 'failed', '{}', '{"code":"record_not_found","detail":"None."}', now())`,
    [task_id, app.app.newId("stp")],
  );
  await app.call("POST", "/v1/agents/sales/pause", { body: { reason: "looked at", mode: "cancel" } });
  const [tool] = (await toolsOf("sales", "?version=1")).tools;
  await app.call("POST", "/v1/agents/sales/resume", { body: {} });
  expect(tool).toMatchObject({ permission: "held", last_failure: { code: "record_not_found" } });
});

it("says of a tool about which an approval rule asks by an amount that it depends on the arguments", async () => {
  const { agent } = await newDraft(app, [writing]);
  const rule = async (name: string, tools: string[]) => {
    const body = {
      title: name,
      when: { tools, amount: { field: "amount", above: 5 } },
      require: { stages: [{ quorum: 1 }] },
    };
    expect((await app.call("PUT", `/v1/approvals/settings/rules/${name}`, { body })).status).toBe(200);
  };
  await rule("others", ["pay"]);
  expect((await toolsOf(agent)).tools[1].permission).toBe("allowed");
  await rule("sent", ["send"]);
  expect((await toolsOf(agent)).tools[1].permission).toBe("by_arguments");
  for (const name of ["others", "sent"]) await app.call("DELETE", `/v1/approvals/settings/rules/${name}`, { body: {} });
});

it("refuses a version that is not there, and a live one where none is", async () => {
  const { agent } = await newDraft(app);
  expect((await toolsOf("sales", "?version=99")).code).toBe("no_version");
  expect((await toolsOf(agent, "?version=live")).code).toBe("agent_not_deployed");
});
