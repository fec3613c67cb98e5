import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();
const schemas = (agent: string, query = "") => app.call("GET", `/v1/agents/${agent}/schema${query}`);

it("shows what tasks of the live version take and return, or of the version that is asked for", async () => {
  const { body } = await schemas("sales");
  expect(body).toMatchObject({ version: 1, live: true });
  expect(body.skills.map(({ task }: { task: string }) => task)).toContain("qualify_lead");
  expect(body.skills[0].input).toHaveProperty("properties");
  await deployedAgent(app, "shown", { versions: 2, deploy: [2] });
  expect((await schemas("shown", "?version=1")).body).toMatchObject({ version: 1, live: false });
});

it("is refused with no_version where there is none", async () => {
  expect((await schemas("sales", "?version=9")).body).toMatchObject({ status: 409, code: "no_version" });
});
