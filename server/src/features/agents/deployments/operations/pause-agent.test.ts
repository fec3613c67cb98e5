import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();
const pause = (agent: string, body: object, environment: "development" | "staging" = "development") =>
  app.call("POST", `/v1/agents/${agent}/pause`, { environment, body });
const ask = (agent: string) =>
  app.call("POST", `/v1/agents/${agent}/tasks`, { body: { task: "answer", question: "when?" } });

describe("pausing an agent", () => {
  it("refuses new work in this environment with the reason, and in no other", async () => {
    await deployedAgent(app, "held", { versions: 1, deploy: [1] });
    const { status, body } = await pause("held", { reason: "its sources are wrong" });
    expect([status, body.paused.mode, body.paused.reason]).toEqual([200, "drain", "its sources are wrong"]);
    const refused = await ask("held");
    expect([refused.status, refused.body.code]).toEqual([409, "agent_paused"]);
    expect(refused.body.detail).toContain("its sources are wrong");
    expect((await app.call("GET", "/v1/agents/held", { environment: "staging" })).body.paused).toBeNull();
  });

  it("again changes mode and reason", async () => {
    await deployedAgent(app, "stricter", { versions: 1 });
    await pause("stricter", { reason: "first" });
    const { body } = await pause("stricter", { reason: "second", mode: "cancel" });
    expect(body.paused).toMatchObject({ mode: "cancel", reason: "second" });
  });

  it("cannot be denied by a policy", async () => {
    await deployedAgent(app, "free", { versions: 1 });
    await app.policy({ scope: { actions: ["agent.pause"] }, when: "true", effect: "deny" });
    expect((await pause("free", { reason: "harm" })).status).toBe(200);
  });
});
