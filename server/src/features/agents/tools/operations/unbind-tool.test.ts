import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { newDraft } from "../tools.fixture.ts";

const app = useSharedApp();
const unbind = ({ agent, etag }: { agent: string; etag: string }, tool: string, body: object = {}) =>
  app.call("DELETE", `/v1/agents/${agent}/tools/${tool}`, { body, headers: { "if-match": etag } });

it("refuses to take a tool from skills that name it, unless asked to", async () => {
  const draft = await newDraft(app);
  const refused = await unbind(draft, "look");
  expect(refused.body).toMatchObject({ code: "tool_in_use", detail: expect.stringContaining("answer") });
  const { status, body } = await unbind(draft, "look", { from_skills: true });
  expect([status, body.definition.tools, body.definition.skills[0].tools]).toEqual([200, [], undefined]);
  expect((await unbind(draft, "look")).status).toBe(404);
});

it("leaves an archived agent as it is", async () => {
  const draft = await newDraft(app);
  await app.call("DELETE", `/v1/agents/${draft.agent}`, { body: { reason: "Not needed." } });
  const { headers } = await app.call("GET", `/v1/agents/${draft.agent}`);
  const archived = await unbind({ ...draft, etag: headers.get("etag") as string }, "look", { from_skills: true });
  expect(archived.body.code).toBe("agent_archived");
});
