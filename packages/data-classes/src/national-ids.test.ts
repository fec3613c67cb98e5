import { describe, expect, it } from "vitest";
import { nationalIds } from "./national-ids.ts";
import { scanText } from "./scan-text.ts";
import { nationalIdGenerators } from "./testing/generators.ts";
import { base62, Chance, capitals } from "./testing/random.ts";

const DRAWS = 20_000;

/** A text of a form, drawn: `3.3.3-2` gives `417.902.118-35`. */
function drawForm(chance: Chance, form: string): string {
  return form.replace(/\d+/g, (count) => chance.digits(Number(count))).replace(/a/g, () => chance.pick(capitals));
}

const compact = (text: string): string => text.replace(/[^0-9A-Z]/g, "");
const free = nationalIds.flatMap(({ format, free, accepts }) => free.map((form) => [format, form, accepts] as const));

describe("national ids", () => {
  it.each(nationalIds.map(({ format }) => format))("accept what is built with a valid check digit: %s", (format) => {
    const { accepts } = nationalIds.find((one) => one.format === format)!;
    const chance = new Chance(7);
    for (let draw = 0; draw < 500; draw++) {
      const id = nationalIdGenerators[format]!(chance);
      expect(accepts(id), id).toBe(true);
    }
  });

  it.each(nationalIds.map(({ format }) => format))("refuse it with another check digit or letter: %s", (format) => {
    const { accepts } = nationalIds.find((one) => one.format === format)!;
    const chance = new Chance(8);
    let accepted = 0;
    for (let draw = 0; draw < 500; draw++) {
      const id = nationalIdGenerators[format]!(chance);
      const at = format === "ie_pps" ? 7 : id.length - 1;
      const other = /\d/.test(id[at]!)
        ? String((Number(id[at]) + 1 + chance.below(8)) % 10)
        : chance.pick(capitals.replace(id[at]!, ""));
      if (accepts(id.slice(0, at) + other + id.slice(at + 1))) accepted++;
    }
    // Two-digit keys of Belgium can fit both centuries; all others tell every change of the last character.
    expect(accepted).toBeLessThanOrEqual(format === "be_national_number" ? 10 : 0);
  });

  it.each(free)(
    "of a form that needs no word are about one in a hundred texts of that form at most: %s as %s",
    (_format, form, accepts) => {
      const chance = new Chance(9);
      let accepted = 0;
      for (let draw = 0; draw < DRAWS; draw++) if (accepts(compact(drawForm(chance, form)))) accepted++;
      expect(accepted / DRAWS).toBeLessThanOrEqual(0.0125);
    },
  );

  it("count in small letters only where a word names them", () => {
    expect(scanText("x1234567l")).toEqual([]);
    expect(scanText("NIE x1234567l")).toMatchObject([{ format: "es_nie" }]);
  });

  it("are told apart by the word that stands nearest", () => {
    const bsn = "111222333";
    expect(scanText(`order ${bsn}`)).toEqual([]);
    expect(scanText(`BSN ${bsn}`)).toMatchObject([{ format: "nl_bsn" }]);
    expect(scanText(`BSN of the order ${bsn}`)).toEqual([]);
    expect(scanText(`order for BSN ${bsn}`)).toMatchObject([{ format: "nl_bsn" }]);
    expect(scanText(`${bsn} is my BSN`)).toMatchObject([{ format: "nl_bsn" }]);
    expect(scanText(`national id number: ${bsn}`)).toMatchObject([{ kind: "national_id" }]);
  });

  it("are not found within longer words, numbers and paths", () => {
    for (const text of [
      "BSN a111222333",
      "BSN 111222333b",
      "BSN 111222333-4",
      "BSN 5-111222333",
      "BSN x/111222333/y",
      "BSN 111222333.75",
      `BSN ${base62}111222333`,
    ]) {
      expect(scanText(text), text).toEqual([]);
    }
  });
});
