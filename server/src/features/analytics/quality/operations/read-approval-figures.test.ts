import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { insertApproval, insertTask } from "../../rollups/facts.fixture.ts";
import { rollUp } from "../../rollups/testing.ts";

const app = useApp();
const hour = 3_600_000;
const [careful, hasty, rare] = ["a", "b", "c"].map((letter) => `mbr_${letter.repeat(26)}`) as [string, string, string];

async function decide(approver: string, place: number, seconds: number, row: object): Promise<void> {
  const at = Date.now() - 48 * hour + place * 60_000;
  const task = await insertTask(app.pool, at);
  const decided = { decided_by: approver, decided_at: new Date(at + seconds * 1_000) };
  await insertApproval(app.pool, at, task, { status: "consumed", ...decided, ...row });
}

beforeAll(async () => {
  for (let place = 0; place < 40; place++) {
    const isHigh = place % 2 === 0;
    const risk_level = isHigh ? "high" : "low";
    await decide(careful, place, isHigh ? 200 + place : 60 + place, {
      risk_level,
      status: place % 4 === 1 ? "rejected" : "consumed",
      edited_by: place % 4 === 2 ? careful : null,
    });
    await decide(hasty, place, 2, { risk_level });
    if (place < 5) await decide(rare, place, 1, { risk_level });
  }
  await rollUp(app.pool);
});

const read = async (query = "") => (await app.call("GET", `/v1/analytics/approvals${query}`)).body;

describe("figures of approvals", () => {
  it("tell how people decide, by risk, agent and approver", async () => {
    const { figures, by_risk, approvers, series } = await read();
    expect(figures.decided).toMatchObject({ value: 85, n: 85 });
    expect(figures.override_rate.value).toBeCloseTo(10 / 85, 9);
    expect(figures.quick_rate).toMatchObject({ value: 45 / 75, low: expect.any(Number), high: expect.any(Number) });
    expect(by_risk.map(({ key }: { key: { risk: string } }) => key.risk).sort()).toEqual(["high", "low"]);
    expect(approvers.map(({ approver, decided }: Record<string, unknown>) => [approver, decided])).toEqual(
      expect.arrayContaining([
        [careful, 40],
        [hasty, 40],
        [rare, 5],
      ]),
    );
    expect(series.length).toBeGreaterThan(28);
  });

  it("show signs of decisions without a look, with their evidence, and none of somebody with few decisions", async () => {
    const { approvers, tested } = await read();
    const of = (id: string) => approvers.find(({ approver }: { approver: string }) => approver === id);
    expect(
      of(hasty)
        .signs.map(({ sign }: { sign: string }) => sign)
        .sort(),
    ).toEqual(["never_changes", "quick", "same_time_for_risk"]);
    const quick = of(hasty).signs.find(({ sign }: { sign: string }) => sign === "quick");
    expect(quick).toMatchObject({ n: 40, observed: 1, test: expect.stringContaining("Fisher") });
    expect(quick.text).toBe("40 of 40 approvals took five seconds at most; of others 5 of 35 did.");
    expect(quick.adjusted_p_value).toBeLessThan(0.001);
    expect(of(careful)).toMatchObject({ enough: true, signs: [] });
    expect(of(rare)).toMatchObject({ enough: false, signs: [] });
    expect(tested).toMatchObject({ decisions: 85, least: 30 });
  });

  it("are of the asked agent only", async () => {
    const { figures, tested } = await read("?agent=support");
    expect([figures.decided.value, tested.decisions]).toEqual([0, 0]);
  });
});
