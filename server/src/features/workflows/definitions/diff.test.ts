import { canonicalJson, resolvePointer } from "@aos/strict-json";
import type { Step, WorkflowDefinition } from "@aos/workflow";
import fc from "fast-check";
import { expect, it } from "vitest";
import { diffDefinitions, fileOf } from "./file.ts";
import { definitionFromSource } from "./parser.ts";

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,3}$/);
const text = fc.oneof(
  word,
  fc.string({ minLength: 1, maxLength: 20 }).filter((one) => !one.includes("\u0000") && one.isWellFormed()),
);
const values = fc.dictionary(word, fc.oneof(text, fc.boolean(), fc.integer({ min: -9, max: 9 })), { maxKeys: 3 });

const plain: fc.Arbitrary<Omit<Step, "id">> = fc.oneof(
  fc.record({ set: values }),
  fc.record({ agent: fc.record({ name: word, skill: word, input: values }), timeout: fc.constantFrom("1s", "2m") }),
  fc.record({ tool: fc.record({ agent: word, name: word, arguments: values }), when: text }),
  fc.record({ wait: fc.record({ for: fc.constantFrom("1h", "2d") }) }),
);
const named = (steps: fc.Arbitrary<Omit<Step, "id">>, prefix = ""): fc.Arbitrary<Step[]> =>
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 9 }), steps), { selector: ([n]) => n, minLength: 1, maxLength: 6 })
    .map((list) => list.map(([n, step]) => ({ ...step, id: `${prefix}s${n}` })));
const branches = fc.record({
  parallel: fc.record({ branches: fc.record({ a: named(plain, "a_"), b: named(plain, "b_") }) }),
});
const definitions: fc.Arbitrary<WorkflowDefinition> = fc.record(
  {
    workflow: fc.constant("made"),
    steps: named(fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: branches })),
    description: text,
    output: values,
    limits: fc.record({ steps: fc.integer({ min: 1, max: 9 }) }),
  },
  { requiredKeys: ["workflow", "steps"] },
);

it("finds no difference exactly where two definitions say the same, and shows each where it is", () => {
  fc.assert(
    fc.property(definitions, definitions, (before, after) => {
      const diff = diffDefinitions(before, after);
      expect(diff.identical).toBe(canonicalJson(before) === canonicalJson(after));
      expect(diff.identical).toBe(diff.before_digest === diff.after_digest);
      for (const { pointer, from = pointer, kind, ...change } of diff.changes) {
        const [there, here] = [resolvePointer(before, from), resolvePointer(after, pointer)];
        if (kind === "added") expect(here).toEqual(change.after);
        if (kind === "removed") expect(resolvePointer(before, pointer)).toEqual(change.before);
        if (kind === "changed") expect([there, here]).toEqual([change.before, change.after]);
      }
    }),
  );
});

it("tells steps that were moved from steps that were changed", () => {
  fc.assert(
    fc.property(definitions, fc.integer({ min: 0, max: 5 }), (before, by) => {
      const at = by % before.steps.length;
      const moved = { ...before, steps: [...before.steps.slice(at), ...before.steps.slice(0, at)] };
      expect(diffDefinitions(before, moved).changes.every(({ kind }) => kind === "moved")).toBe(true);
    }),
  );
});

it("writes any definition as a file that reads back as the same", () => {
  fc.assert(
    fc.property(definitions, (definition) => {
      expect(definitionFromSource(fileOf(definition, undefined))).toEqual({ ok: true, definition });
    }),
  );
});
