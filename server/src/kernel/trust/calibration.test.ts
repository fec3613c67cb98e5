import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitCalibration, startCalibrationRule, type TrustLabel } from "./calibration.ts";

const sigma = (z: number) => 1 / (1 + Math.exp(-z));

/** Labels whose shares follow σ(a·z + b) as closely as whole labels can: without chance, spread over z from −3 to 3. */
function labelsOf(a: number, b: number, count: number): TrustLabel[] {
  let owed = 0;
  return Array.from({ length: count }, (_, index) => {
    const z = -3 + (6 * ((index * 7) % count)) / (count - 1);
    owed += sigma(a * z + b);
    const outcome = owed >= 0.5 ? 1 : 0;
    owed -= outcome;
    return { z, outcome };
  });
}

/** Gradient of the penalised loss: 0 at its only minimum. */
function gradient(labels: readonly TrustLabel[], a: number, b: number, ridge: number): [number, number] {
  let [ga, gb] = [ridge * (a - 1), ridge * b];
  for (const { z, outcome } of labels) {
    ga += (sigma(a * z + b) - outcome) * z;
    gb += sigma(a * z + b) - outcome;
  }
  return [ga, gb];
}

describe("a calibration from labels", () => {
  it("leaves scores as they are with fewer than 200 labels, and says how many there are", () => {
    const fit = fitCalibration(labelsOf(0.4, -1, 199));
    expect(fit).toMatchObject({ adopted: false, calibration: { a: 1, b: 0 }, fitted: null, n: 199, gain: null });
    expect(fit.reason).toContain("199 of the 200");
    expect(fitCalibration(labelsOf(0.4, -1, 200)).adopted).toBe(true);
  });

  it("finds the map by which labels were made, and lowers the loss on labels it has not seen", () => {
    const fit = fitCalibration(labelsOf(0.5, -1, 2000));
    expect(fit.adopted).toBe(true);
    expect(fit.calibration).toEqual(fit.fitted);
    expect(fit.calibration.a).toBeCloseTo(0.5, 1);
    expect(fit.calibration.b).toBeCloseTo(-1, 1);
    expect(fit.gain).toBeGreaterThan(0.05);
    expect(fit.log_loss_after).toBeCloseTo(fit.log_loss_before! - fit.gain!, 12);
    expect(fit.gain_error).toBeGreaterThan(0);
    expect(fit.reason).toContain("Adopted");
  });

  it("is the minimum of the penalised loss, wherever labels lie", () => {
    const label = fc.record({ z: fc.double({ min: -30, max: 30, noNaN: true }), outcome: fc.constantFrom(0, 1) });
    fc.assert(
      fc.property(fc.array(label, { minLength: 200, maxLength: 220 }), (labels) => {
        const { a, b } = fitCalibration(labels).fitted!;
        const [ga, gb] = gradient(labels, a, b, startCalibrationRule.ridge);
        expect(Math.abs(gb)).toBeLessThan(1e-5);
        // At the least a the loss may still fall towards a map that turns scores round.
        if (a > startCalibrationRule.least_a) expect(Math.abs(ga)).toBeLessThan(1e-4);
        else expect(ga).toBeGreaterThanOrEqual(-1e-4);
      }),
      { numRuns: 60 },
    );
  });

  it("never turns scores round, even where labels say the contrary", () => {
    const fit = fitCalibration(labelsOf(-1, 0, 400));
    expect(fit.calibration.a).toBe(startCalibrationRule.least_a);
    expect(fit.adopted).toBe(true);
  });

  it("moves only the level where all scores are alike", () => {
    const labels = Array.from({ length: 300 }, (_, index) => ({ z: 0, outcome: index % 4 === 0 ? 0 : 1 }));
    const { a, b } = fitCalibration(labels).calibration;
    expect(a).toBe(1);
    expect(sigma(b)).toBeCloseTo(0.75, 1);
  });

  it("is pulled towards the identity by the ridge, the more the stronger it is", () => {
    const labels = labelsOf(0.3, -1.5, 240);
    const away = (ridge: number) => {
      const { a, b } = fitCalibration(labels, { ...startCalibrationRule, ridge }).fitted!;
      return Math.hypot(a - 1, b);
    };
    expect(away(1000)).toBeLessThan(away(50));
    expect(away(50)).toBeLessThan(away(0.01));
    expect(away(1e9)).toBeLessThan(1e-3);
  });

  it("is not adopted where scores are right already", () => {
    // In each of ten folds the same z with the same shares: there is nothing to be gained.
    const labels = Array.from({ length: 1000 }, (_, index) => {
      const z = [-Math.log(4), 0, Math.log(4)][Math.floor(index / 10) % 3]!;
      const round = Math.floor(index / 30) % 10;
      return { z, outcome: round < Math.round(10 * sigma(z)) ? 1 : 0 };
    }).slice(0, 900);
    const fit = fitCalibration(labels);
    expect(fit.gain).toBeLessThanOrEqual(0);
    expect(fit).toMatchObject({ adopted: false, calibration: { a: 1, b: 0 } });
    expect(fit.reason).toContain("Not adopted");
  });

  it("gives the same fit for the same labels", () => {
    expect(fitCalibration(labelsOf(0.7, 0.4, 333))).toEqual(fitCalibration(labelsOf(0.7, 0.4, 333)));
  });

  it("refuses labels and rules without meaning", () => {
    expect(() => fitCalibration([{ z: Number.POSITIVE_INFINITY, outcome: 1 }])).toThrow(RangeError);
    expect(() => fitCalibration([{ z: 0, outcome: 2 }])).toThrow(RangeError);
    expect(() => fitCalibration([], { ...startCalibrationRule, ridge: 0 })).toThrow("ridge");
    expect(() => fitCalibration([], { ...startCalibrationRule, folds: 1 })).toThrow("folds");
  });
});
