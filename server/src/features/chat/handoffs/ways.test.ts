import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { type ScriptedTurn, scriptedModel } from "../../../testing/models.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts } from "../../tasks/runs/testing.ts";
import { lastUserText, replied, send, startConversation, turnsOf } from "../turns/turns.fixture.ts";

// What a hand-over has to hold whichever way a conversation took to it.

const app = useApp();
const machines = useWorkerProcess(app);

const definition = {
  model: { provider: "openai", name: "sample-model" },
  handoff: { teams: [{ team: "support", for: "Everything else" }] },
  callers: { formats: true, tools: [{ tool: "get_weather", effect: "read" }] },
};
const handOver: ScriptedTurn = {
  calls: [{ tool: "hand_over", input: { team: "support", reason: "I cannot help." } }],
};
const asksWeather: ScriptedTurn = { calls: [{ tool: "get_weather", input: { city: "Graz" } }] };
const worker = () =>
  machines.worker({
    model: scriptedModel((_turn, given) => {
      const text = lastUserText(given);
      if (text.includes("weather")) return asksWeather;
      return text.includes("person") ? handOver : { text: "Done." };
    }),
  });
const setTeam = (team: string, body: object) =>
  app.call("PUT", `/v1/admin/teams/${team}`, { body: { title: team, members: [], ...body } });
const at = (id: string, what: string) => `/v1/chat/conversations/${id}/${what}`;

beforeAll(async () => {
  await changeFacts(
    app,
    machines,
    "agents",
    "update agent_versions set definition = definition || $1::jsonb where agent = 'sales'",
    [JSON.stringify(definition)],
  );
  await setTeam("support", { title: "Support" });
});

it("says in plain words who answers where a reply as JSON was asked for", async () => {
  const running = await worker();
  const id = await startConversation(app);
  await send(app, id, "A person, please", { options: { format: { type: "json_object" } } });
  const reply = await replied(app, id);
  expect(reply.parts).toEqual([{ type: "text", text: "Support will answer here. Please wait a moment." }]);
  await running.stop(20_000);
});

it("ends a turn that waits for results of the caller when it is stopped, and takes the next message", async () => {
  const running = await worker();
  const id = await startConversation(app);
  const options = { tools: [{ name: "get_weather", parameters: { type: "object" } }] };
  await send(app, id, "How is the weather?", { options });
  await expect.poll(async () => (await turnsOf(app, id))[0]?.state, { timeout: 10_000 }).toBe("input_required");
  expect((await app.call("POST", at(id, "stop"), { body: {} })).body.busy).toBe(false);
  await send(app, id, "Never mind");
  await expect
    .poll(async () => (await turnsOf(app, id)).map(({ state }) => state), { timeout: 10_000 })
    .toEqual(["stopped", "completed"]);
  await running.stop(20_000);
});

it("shows private notes to people alone, and to no service account", async () => {
  const anna = await app.member("operator");
  await setTeam("support", { title: "Support", members: [anna.memberId] });
  const id = await startConversation(app);
  await app.call("POST", at(id, "handoff"), { body: { to: "person", team: "support", reason: "A call." } });
  const key = anna.secret;
  await app.call("POST", at(id, "take"), { body: {}, key });
  await app.call("POST", at(id, "notes"), { body: { text: "private" }, key });
  expect((await app.call("GET", at(id, "handoff"), { key })).body.notes).toHaveLength(1);
  const robot = { name: "robot", role: "operator", for: { service_account: "robot" } };
  const { key: ofRobot } = (await app.call("POST", "/v1/admin/keys", { body: robot })).body;
  expect((await app.call("GET", at(id, "handoff"), { key: ofRobot })).body.notes).toEqual([]);
});

it("takes who has no role here any more out of teams, so that nothing is assigned to them", async () => {
  const ben = await app.member("operator");
  await setTeam("leaving", { members: [ben.memberId], assignment: "round_robin" });
  await app.call("PUT", `/v1/admin/members/${ben.memberId}`, { body: { role: null } });
  expect((await app.call("GET", "/v1/admin/teams/leaving")).body.members).toEqual([]);
  const id = await startConversation(app);
  const { body } = await app.call("POST", at(id, "handoff"), {
    body: { to: "person", team: "leaving", reason: "Next." },
  });
  expect(body.handoff.member).toBeNull();
});

it("refuses to deploy an agent whose file hands over to a team that is not there", async () => {
  const body = {
    agent: "lost",
    description: "Hands over.",
    model: { provider: "builtin" },
    handoff: { teams: [{ team: "nobody", for: "All" }] },
    skills: [{ name: "answer", input: { type: "object" } }],
  };
  await app.call("POST", "/v1/agents", { body });
  expect((await app.call("POST", "/v1/agents/lost/versions", { body: {} })).status).toBe(201);
  const refused = await app.call("POST", "/v1/agents/lost/deployments", { body: { version: 1 } });
  expect(refused.body).toMatchObject({
    code: "dependencies_missing",
    errors: [{ pointer: "/handoff/teams/0/team", code: "unknown_team" }],
  });
});
