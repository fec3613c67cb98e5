import { AgentCard } from "@a2a-js/sdk";
import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();
const card = (agent: string) => app.call("GET", `/v1/agents/${agent}/card`);

it("is a card of A2A, which its official types read without loss, and claims nothing that is not offered", async () => {
  const { status, body } = await card("sales");
  expect(status).toBe(200);
  const read = AgentCard.fromJSON(body);
  expect(AgentCard.toJSON(read)).toEqual({ ...body, securityRequirements: [{ schemes: { key: expect.anything() } }] });
  expect(read.securitySchemes.key?.scheme).toMatchObject({ $case: "httpAuthSecurityScheme" });
  expect(read.capabilities).toMatchObject({ streaming: false, pushNotifications: false, extendedAgentCard: false });
  expect(read.supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).not.toContain("JSONRPC");
  expect(read.skills.map(({ id }) => id)).toContain("qualify_lead");
});

it("is refused with agent_not_deployed where no version is live", async () => {
  await deployedAgent(app, "cardless", { versions: 1 });
  expect((await card("cardless")).body).toMatchObject({ status: 409, code: "agent_not_deployed" });
});
