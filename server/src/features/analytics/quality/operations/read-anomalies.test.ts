import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { scope } from "../../rollups/facts.fixture.ts";
import { type Fact, storeFacts } from "../../rollups/rollup.fixture.ts";

const app = useApp();
const hour = 3_600_000;
const now = Math.floor(Date.now() / hour) * hour;

/** Six tasks or so in each hour of 6 weeks; in the last day an hour with 60 of them, and three hours with none. */
async function fill(): Promise<void> {
  const facts = Array.from({ length: 6 * 168 }, (_, index): Fact[] => {
    const back = index + 1;
    const n = back === 10 ? 60 : back >= 4 && back <= 6 ? 0 : 5 + (back % 3);
    const fact = { at: now - back * hour, dimensions: { agent: "steady", status: "completed" }, sums: { n, ended: n } };
    return n === 0 ? [] : [fact];
  });
  const young = { at: now - hour, dimensions: { agent: "young", status: "completed" }, sums: { n: 500, ended: 500 } };
  await storeFacts({ pool: app.pool, scope, family: "tasks", labels: [] }, [...facts.flat(), young]);
}

it("finds an unusual hour and silence, and nothing of an agent without a past", async () => {
  await fill();
  expect((await app.call("GET", "/v1/analytics/anomalies")).status).toBe(200);
  const from = new Date(now - 24 * hour).toISOString();
  const { status, body } = await app.call("GET", `/v1/analytics/anomalies?from=${from}`);
  expect(status).toBe(200);
  const found = body.anomalies.map(({ kind, agent, from: at }: Record<string, string>) => [kind, agent, at]);
  expect(found.sort()).toEqual([
    ["silence", "steady", new Date(now - 6 * hour).toISOString()],
    ["volume", "steady", new Date(now - 10 * hour).toISOString()],
  ]);
  const volume = body.anomalies.find(({ kind }: { kind: string }) => kind === "volume");
  expect(volume).toMatchObject({
    observed: 60,
    link: expect.stringMatching(/agent=steady/),
    text: expect.stringMatching(/^steady got 60 tasks/),
  });
  expect(volume.high).toBeLessThan(20);
  expect(body.agents).toEqual([
    { agent: "steady", weeks: 5, enough: true },
    { agent: "young", weeks: 0, enough: false },
  ]);
});
