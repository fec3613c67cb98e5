import { compileSchema } from "@aos/json-schema";
import { canonicalJson, pointerOf, resolvePointer } from "@aos/strict-json";
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyBundle, fullBundle } from "./bundle.fixture.ts";
import { diffDefinitions } from "./diff.ts";
import { DefinitionDiff } from "./diff-schemas.ts";

// biome-ignore lint/suspicious/noExplicitAny: what is changed here has many types
type Change = (bundle: any) => unknown;
const after = (change: Change) => {
  const bundle = structuredClone(fullBundle);
  change(bundle);
  return bundle;
};
const diffOf = (change: Change) => diffDefinitions(fullBundle, after(change));
const lines = (change: Change): string[] =>
  diffOf(change).changes.map(({ kind, path }) => `${kind} ${path.join(" › ")}`);

it("is empty exactly for definitions that say the same", () => {
  fc.assert(
    fc.property(anyBundle, anyBundle, (one, other) => {
      expect(diffDefinitions(one, structuredClone(one))).toMatchObject({
        identical: true,
        changes: [],
        summary: "no difference",
        effect: { overall: "none" },
      });
      const { identical, changes, before_digest, after_digest } = diffDefinitions(one, other);
      const same = canonicalJson(one) === canonicalJson(other);
      expect([identical, changes.length === 0, before_digest === after_digest]).toEqual([same, same, same]);
    }),
    { numRuns: 60 },
  );
});

it("says of every change where it stands and what stands there, in a form that fits its schema", () => {
  const validate = compileSchema(DefinitionDiff);
  fc.assert(
    fc.property(anyBundle, anyBundle, (one, other) => {
      const diff = diffDefinitions(one, other);
      expect(validate(JSON.parse(JSON.stringify(diff)))).toEqual([]);
      for (const { kind, pointer, from, before, after } of diff.changes) {
        if (kind === "moved") continue;
        if (kind !== "removed") expect(resolvePointer(other, pointer)).toEqual(after);
        if (kind !== "added") expect(resolvePointer(one, from ?? pointer)).toEqual(before);
      }
    }),
    { numRuns: 60 },
  );
});

/** Places of texts and numbers that no list is matched by. */
function* leaves(value: unknown, at: (string | number)[] = []): Generator<(string | number)[]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (typeof item === "object" && item !== null) yield* leaves(item, [...at, index]);
  } else if (typeof value === "object" && value !== null)
    for (const [name, item] of Object.entries(value)) yield* leaves(item, [...at, name]);
  else if (at.at(-1) !== "name" && !(at.includes("examples") && at.includes("input"))) yield at;
}

it("shows one changed field as one change, whatever stands around it", () => {
  fc.assert(
    fc.property(anyBundle, fc.nat(), (bundle, choice) => {
      const places = [...leaves(bundle)];
      const place = places[choice % places.length]!;
      const other = structuredClone(bundle);
      const holder = resolvePointer(other, pointerOf(place.slice(0, -1))) as Record<string, unknown>;
      holder[place.at(-1)!] = "something else";
      expect(diffDefinitions(bundle, other).changes).toEqual([
        expect.objectContaining({ kind: "changed", pointer: pointerOf(place), after: "something else" }),
      ]);
    }),
  );
});

it("shows a changed prompt by its lines", () => {
  const [change] = diffOf(
    (bundle) => (bundle.instructions = "Work only from the contract.\n\nNever guess a price or a date.\n"),
  ).changes;
  expect(change).toMatchObject({ kind: "changed", pointer: "/instructions", path: ["instructions"] });
  expect(change!.text).toEqual({
    added: 1,
    removed: 1,
    hunks: [
      {
        before_start: 1,
        before_lines: 3,
        after_start: 1,
        after_lines: 3,
        lines: [
          { op: "same", text: "Work only from the contract." },
          { op: "same", text: "" },
          { op: "removed", text: "Never guess a price." },
          { op: "added", text: "Never guess a price or a date." },
        ],
      },
    ],
  });
});

it("goes into schemas property by property", () => {
  expect(
    lines(({ skills: [{ input }] }) => {
      input.properties.contract_id.pattern = "^con_";
      input.properties.currency = { type: "string" };
      input.required.push("currency");
    }),
  ).toEqual([
    "added skills › draft_offer › input › required › currency",
    "changed skills › draft_offer › input › properties › contract_id › pattern",
    "added skills › draft_offer › input › properties › currency",
  ]);
});

it("knows tools, skills and examples by name, not by position", () => {
  const diff = diffOf((bundle) => {
    bundle.tools.unshift({ name: "find_rule", kind: "search", effect: "read" });
    bundle.tools[1].base = "price list";
    bundle.skills[0].examples.shift();
    bundle.skills[0].examples[0].output.amount = 21;
  });
  expect(diff.changes.map(({ kind, pointer, from }) => [kind, pointer, from])).toEqual([
    ["added", "/tools/0", undefined],
    ["changed", "/tools/1/base", "/tools/0/base"],
    ["removed", "/skills/0/examples/0", undefined],
    ["changed", "/skills/0/examples/0/output/amount", "/skills/0/examples/1/output/amount"],
  ]);
  expect(diff.summary).toBe("1 tool added, 1 tool changed, 1 skill changed");
});

it("shows what moved, and only that", () => {
  const diff = diffOf((bundle) => bundle.tools.push(bundle.tools.shift()));
  expect(diff.changes).toEqual([
    {
      kind: "moved",
      pointer: "/tools/4",
      from: "/tools/0",
      path: ["tools", "get_contract"],
      before: 0,
      after: 4,
      effect: "none",
    },
  ]);
  expect(diff.summary).toBe("1 tool moved");
});

it("tells a renamed skill as one gone and one come", () => {
  const diff = diffOf((bundle) => (bundle.skills[0].name = "prepare_offer"));
  expect(diff.summary).toBe("1 skill added, 1 skill removed");
  expect(diff.effect).toEqual({ overall: "prompt_or_tool_change", skills: {} });
});

it("says in a few words what changed at the top", () => {
  const diff = diffOf((bundle) => {
    bundle.model.settings.temperature = 1;
    bundle.instructions = undefined;
    bundle.labels.push("new");
    bundle.agent = "renewal";
  });
  expect(diff.summary).toBe("name changed, labels changed, model changed, instructions removed");
});

it.each([
  ["another model", "model_change", (bundle) => (bundle.model.name = "other")],
  ["another temperature", "model_change", (bundle) => (bundle.model.settings.temperature = 1)],
  ["the agent's instructions", "prompt_or_tool_change", (bundle) => (bundle.instructions += "x")],
  ["its knowledge", "prompt_or_tool_change", (bundle) => bundle.knowledge.push("faq")],
  ["a skill's instructions", "prompt_or_tool_change", (bundle) => (bundle.skills[0].instructions += "x")],
  [
    "a skill's output",
    "prompt_or_tool_change",
    (bundle) => (bundle.skills[0].output.properties.amount.type = "string"),
  ],
  ["the order of a skill's tools", "prompt_or_tool_change", (bundle) => bundle.skills[0].tools.reverse()],
  ["a tool that the skill uses", "prompt_or_tool_change", (bundle) => (bundle.tools[2].request.method = "PUT")],
  ["a tool that the skill does not use", "none", (bundle) => (bundle.tools[4].tool = "other")],
  ["another skill", "none", (bundle) => bundle.skills.push({ name: "other", input: { type: "object" } })],
  ["a label", "none", (bundle) => bundle.labels.push("x")],
  ["the agent's description", "none", (bundle) => (bundle.description = "x")],
  ["the price of a tool", "none", (bundle) => (bundle.tools[2].cost_usd = 1)],
  ["a declared impact", "none", (bundle) => (bundle.skills[0].impact.money = 1)],
] as [string, string, Change][])("weighs %s as %s for the skill's evidence", (_what, effect, change) => {
  expect(diffOf(change).effect.skills).toEqual(expect.objectContaining({ draft_offer: effect }));
});
