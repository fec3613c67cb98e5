import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();
const transfer = (agent: string, owner: string) =>
  app.call("POST", `/v1/agents/${agent}/transfer`, { body: { owner } });

it("gives the agent to another member, whose agents list shows it", async () => {
  await deployedAgent(app, "moved", { versions: 1 });
  const { memberId } = await app.member("builder");
  const { status, body } = await transfer("moved", memberId);
  expect([status, body.owner]).toEqual([200, memberId]);
  const list = await app.call("GET", `/v1/agents?owner=${memberId}`);
  expect(list.body.data.map(({ agent }: { agent: string }) => agent)).toEqual(["moved"]);
});

it("is refused for who is no member, and for an archived agent with agent_archived", async () => {
  const unknown = await transfer("moved", "mbr_nobody");
  expect(unknown.body).toMatchObject({ status: 422, errors: [{ pointer: "/owner", code: "unknown_member" }] });
  await app.call("DELETE", "/v1/agents/moved", { body: { reason: "done" } });
  const { memberId } = await app.member("builder");
  expect((await transfer("moved", memberId)).body).toMatchObject({ status: 409, code: "agent_archived" });
});
