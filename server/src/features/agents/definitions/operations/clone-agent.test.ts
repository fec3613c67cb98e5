import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();
const clone = (agent: string, body: object) => app.call("POST", `/v1/agents/${agent}/clone`, { body });

it("makes a draft from a version or the draft, and says what stays with the original", async () => {
  await deployedAgent(app, "first", { versions: 2, deploy: [2] });
  const { body: version } = await app.call("GET", "/v1/agents/first/versions/1");
  const { status, body, headers } = await clone("first", { name: "second", version: 1, labels: ["copy"] });
  expect([status, headers.get("location")]).toEqual([201, "/v1/agents/second"]);
  expect(body).toMatchObject({ agent: "second", status: "draft", deployment: null, labels: ["copy"] });
  expect(body.definition).toEqual(version.definition);
  expect(body.cloned_from).toMatchObject({ agent: "first", version: 1, digest: version.digest });
  expect(body.cloned_from.not_cloned).toContain("deployments");
  const draft = await clone("first", { name: "third" });
  expect(draft.body.definition).toEqual((await app.call("GET", "/v1/agents/first")).body.definition);
});

it("is refused with agent_exists for a taken name, and with no_version for an unknown version", async () => {
  expect((await clone("sales", { name: "sales" })).body).toMatchObject({ status: 409, code: "agent_exists" });
  expect((await clone("sales", { name: "new", version: 9 })).body).toMatchObject({ status: 409, code: "no_version" });
});
