import { expect, it } from "vitest";
import { canaryCases, simulateCanary } from "./canary.ts";

const seed = 1;
const caseOf = (name: string, share: number) =>
  canaryCases.find((one) => one.name === name && one.share === share) as (typeof canaryCases)[number];

it.each([10, 50])("aborts a canary that is 10 points worse within 300 judged tasks, at a share of %i %%", (share) => {
  const { aborted_within_300, promoted } = simulateCanary(caseOf("10 points worse", share), 200, seed);
  expect(aborted_within_300).toBeGreaterThanOrEqual(0.9);
  expect(promoted).toBe(0);
});

it.each([10, 50])("promotes an unchanged canary within 1,000 judged tasks, at a share of %i %%", (share) => {
  const { promoted, aborted } = simulateCanary(caseOf("unchanged", share), 1_000, seed);
  expect(promoted).toBeGreaterThanOrEqual(0.95);
  expect(aborted).toBeLessThanOrEqual(0.05);
});

it("seldom promotes a canary that is worse by the tolerance", () => {
  for (const share of [10, 50])
    expect(simulateCanary(caseOf("5 points worse (the tolerance)", share), 400, seed).promoted).toBeLessThanOrEqual(
      0.08,
    );
});

it.each([10, 50])(
  "seldom promotes a canary whose outcomes are better and that fails more by the tolerance, at a share of %i %%",
  (share) => {
    for (const failed of [
      [0, 0.05],
      [0.05, 0.1],
    ] as const) {
      const one = { name: "fails more", share, stable: 0.8, canary: 0.99, failed, judged: [1, 1] } as const;
      expect(simulateCanary(one, 400, seed).promoted).toBeLessThanOrEqual(0.08);
    }
  },
);
