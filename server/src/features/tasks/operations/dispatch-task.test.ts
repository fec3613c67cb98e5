import { describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";

const app = useApp();
const dispatch = (body: Record<string, unknown>) =>
  app.call("POST", "/v1/agents/sales/tasks", { body: { task: "qualify_lead", lead_id: "ld_1001", ...body } });

describe("dispatching a task", () => {
  it("assesses the same risk whether or not the caller asks for approval: nobody has looked yet", async () => {
    const risks = [];
    for (const require_approval of [true, false]) {
      const { task_id } = await app.dispatch({ require_approval });
      risks.push((await app.call("GET", `/v1/tasks/${task_id}`)).body.risk);
    }
    expect(risks[0]).toEqual(risks[1]);
    expect(risks[0].inputs.unattended).toBe(true);
  });

  it("refuses a deadline that has passed, and names the field", async () => {
    const { status, body } = await dispatch({ deadline: new Date(Date.now() - 1000).toISOString() });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ pointer: "/deadline", code: "past", detail: expect.stringContaining("give a time to come") }]);
  });

  it("takes a deadline to come", async () => {
    expect((await dispatch({ deadline: new Date(Date.now() + 60_000).toISOString() })).status).toBe(202);
  });
});
