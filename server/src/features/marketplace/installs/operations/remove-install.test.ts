import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { small } from "../../marketplace.fixture.ts";
import { installed, installIt } from "../installs.fixture.ts";
import type { InstallResult } from "../schemas.ts";

const app = useSharedApp();
const remove = (id: string, query = "") => app.call("DELETE", `/v1/marketplace/installs/${id}${query}`);
const read = async (path: string) => (await app.call("GET", path)).body;
const told = ({ results }: InstallResult) => results.map(({ kind, action, status }) => `${kind} ${action} ${status}`);

it("archives the agent, retires policies and deletes bases; says why the rest stays", async () => {
  const { install, suffix } = await installed(app);
  const { status, body, text } = await remove(install.install_id);
  expect(status, text).toBe(207);
  expect(told(body)).toEqual([
    "agent remove 200",
    "policy remove 200",
    "knowledge_base remove 200",
    "gate keep null",
    "scorer keep null",
    "dataset keep null",
    "dataset keep null",
    "agent_version keep null",
    "documents remove null",
  ]);
  expect(body.install.state).toBe("removed");
  expect((await read(`/v1/agents/${install.agent}`)).status).toBe("archived");
  expect((await app.call("GET", `/v1/knowledge/bases/${small.base}${suffix}`)).status).toBe(404);
  const { data } = await read("/v1/marketplace/installs");
  expect(data.map(({ install_id }: { install_id: string }) => install_id)).not.toContain(install.install_id);
});

it("shows on a dry run what would go and what would stay, and removes nothing", async () => {
  const { install } = await installed(app);
  await app.call("POST", `/v1/agents/${install.agent}/deployments`, { body: { version: 1 } });
  const { status, text } = await remove(install.install_id, "?dry_run=true");
  expect([status, text.includes("It goes once the agent is archived")]).toEqual([200, true]);
  expect((await read(`/v1/agents/${install.agent}`)).status).toBe("deployed");
});

it("is incomplete where a part cannot go, and names what holds it", async () => {
  const { install } = await installed(app);
  await app.policy({
    name: "Keep agents",
    scope: { actions: ["agent.archive"], agents: [install.agent] },
    when: "true",
    effect: "deny",
    reason_code: "kept",
    message: "Agents stay.",
  });
  const { body } = await remove(install.install_id);
  expect([body.install.state, body.failed > 0]).toEqual(["incomplete", true]);
  expect(body.results[0].problem.code).toBeDefined();
});

it("leaves what an install in another environment has, too", async () => {
  const { listing, suffix, install } = await installed(app);
  const staging = await installIt(app, listing, { suffix }, { environment: "staging" });
  expect(staging.status, staging.text).toBe(207);
  const { body } = await remove(install.install_id);
  const agent = body.results.find(({ kind }: { kind: string }) => kind === "agent");
  expect([agent.action, agent.note]).toEqual(["keep", expect.stringMatching(/another environment/)]);
  expect((await read(`/v1/agents/${install.agent}`)).status).toBe("draft");
});

it("is refused a second time", async () => {
  const { install } = await installed(app);
  await remove(install.install_id);
  expect((await remove(install.install_id)).body.code).toBe("install_state");
});

it("is refused to a key that may not remove all parts, before anything is removed", async () => {
  const { install } = await installed(app);
  const { secret: key } = await app.member("builder");
  const refused = await app.call("DELETE", `/v1/marketplace/installs/${install.install_id}`, { key });
  expect([refused.status, refused.body]).toMatchObject([403, { code: "parts_not_permitted" }]);
  expect((await read(`/v1/agents/${install.agent}`)).status).toBe("draft");
});
