import { expect, it } from "vitest";
import { missionBody } from "../../../../../test/arrangements/missions.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const create = (body: object = missionBody) => app.call("POST", "/v1/missions", { body });

it("creates a draft that says what it lacks, and lists it", async () => {
  const { status, body } = await create({ ...missionBody, labels: ["made"] });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    status: "draft",
    health: "not_started",
    measured: { value: 0, reached: false, results: 0 },
    spend: { limit_usd: 5, left_usd: 5, spent_usd: 0, planned_usd: null },
    blockers: [{ code: "no_plan" }],
  });
  const listed = await app.call("GET", "/v1/missions?label=made&status=draft");
  expect(listed.body.data).toMatchObject([{ mission_id: body.mission_id, goal: missionBody.goal }]);
});

it("names agents that are not there, and expressions that are none", async () => {
  const { status, body } = await create({
    ...missionBody,
    agents: ["sales", "nobody"],
    measure: { skill: "qualify_lead", aggregate: "mean", where: "output.", target: 1 },
  });
  expect(status).toBe(422);
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
    "/agents/1",
    "/measure/value",
    "/measure/where",
  ]);
});
