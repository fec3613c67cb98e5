import { describe, expect, it } from "vitest";
import { SCHEMA_CHARACTERS, schemaCharacters } from "./check.ts";
import { parseBundle, parseBundleValue } from "./index.ts";

/** A schema of `length` characters as JSON, different for every `name`. */
function schemaOf(name: string, length: number): Record<string, unknown> {
  const bare = { type: "object", properties: { [name]: { enum: [""] } } };
  return { ...bare, properties: { [name]: { enum: ["x".repeat(length - JSON.stringify(bare).length)] } } };
}

/** A bundle of `count` skills whose inputs have `length` characters each. */
function bundleOf(count: number, length: number, nameOf = (index: number): string => `p${index}`) {
  const skills = Array.from({ length: count }, (_, index) => ({
    name: `s${index}`,
    input: schemaOf(nameOf(index), length),
  }));
  return { agent: "sales", description: "", model: { provider: "builtin" }, tools: [], skills };
}

const faultsOf = (bundle: unknown) => {
  const read = parseBundleValue(bundle);
  return read.ok ? [] : read.faults;
};

describe("the budget for schemas", () => {
  it("takes schemas of as many characters as it says and not of one more", () => {
    const most = bundleOf(4, SCHEMA_CHARACTERS / 4);
    expect(schemaCharacters(most)).toBe(SCHEMA_CHARACTERS);
    expect(faultsOf(most)).toEqual([]);
    const more = { ...most, tools: [{ name: "t", kind: "record", base: "b", effect: "read", arguments: {} }] };
    expect(faultsOf(more)).toEqual([
      { pointer: "", code: "too_large", detail: expect.stringContaining("65536 characters in all") },
    ]);
  });

  it("counts once what tools and skills share, as it is compiled once", () => {
    expect(faultsOf(bundleOf(40, SCHEMA_CHARACTERS / 4, () => "same"))).toEqual([]);
  });

  it("does not count words for people", () => {
    const bundle = bundleOf(4, SCHEMA_CHARACTERS / 4);
    Object.assign(bundle.skills[0]?.input ?? {}, { title: "t".repeat(100), description: "d".repeat(100) });
    expect(faultsOf(bundle)).toEqual([]);
  });

  it("holds for files as for JSON", () => {
    const text = JSON.stringify(bundleOf(5, SCHEMA_CHARACTERS / 4));
    const read = parseBundle(text);
    expect(read.ok ? [] : read.faults).toEqual([
      { pointer: "", code: "too_large", detail: expect.stringContaining("schemas"), line: 1, column: 1 },
    ]);
  });

  it("keeps the processor time of the costliest bundle that it takes below two seconds", () => {
    const costly = (skill: number) =>
      Object.fromEntries(
        Array.from({ length: 25 }, (_, at) => [
          `p${skill}_${at}`,
          { type: "string", pattern: `^${skill}_(a|b)${at}$` },
        ]),
      );
    const skills = Array.from({ length: 45 }, (_, at) => ({
      name: `s${at}`,
      input: { type: "object", properties: costly(at) },
    }));
    const bundle = { agent: "sales", description: "", model: { provider: "builtin" }, skills };
    expect(schemaCharacters(bundle)).toBeGreaterThan(SCHEMA_CHARACTERS * 0.8);
    const began = process.cpuUsage();
    expect(faultsOf(bundle)).toEqual([]);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});
