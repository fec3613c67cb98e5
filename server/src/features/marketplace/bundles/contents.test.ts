import { expect, it } from "vitest";
import { Refusal } from "../../../kernel/errors.ts";
import {
  contentsIn,
  manifestIn,
  manifestOf,
  small,
  smallFiles,
  starterFiles,
  starterNames,
  withFile,
} from "../marketplace.fixture.ts";
import { bundleKinds } from "../schema-words.ts";
import { readContents } from "./contents.ts";

/** `file: what` of the refusal of files. */
function refusalOf(
  kind: (typeof bundleKinds)[number],
  file: string,
  text: string | null,
): { fault: unknown; detail: string } {
  try {
    readContents(withFile(smallFiles(kind), file, text), manifestOf(kind));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.type.code).toBe("bundle_refused");
    expect(error.details.members?.place).toMatchObject({ part: file });
    return { fault: error.details.members?.fault, detail: error.details.detail };
  }
  throw new Error("was not refused");
}

const yaml = Buffer.from(smallFiles("agent").get("agent.yaml") ?? "").toString();
const base = (document: object): string => JSON.stringify({ name: small.base, documents: [document] });
const policy = (more: object): string =>
  JSON.stringify({ name: "P", when: "true", effect: "deny", reason_code: "p", message: "P.", ...more });
const entry = { name: small.dataset, skill: small.skill };
const item = `datasets/${small.dataset}.jsonl`;

it.each(starterNames())("reads the starter %s whole", (name) => {
  const contents = contentsIn(starterFiles(name));
  expect(contents.agent).toMatchObject({ agent: name });
  expect(contents.training.length).toBeGreaterThan(0);
  expect(contents.datasets.flatMap(({ items }) => items).length).toBeGreaterThan(99);
  expect(contents.gate).toMatchObject({ datasets: contents.datasets.map((one) => one.name) });
  expect(contents.trials).toHaveLength(3);
  expect(contents.readme).toContain("## Try it");
});

it.each(bundleKinds)("reads a bundle of kind %s", (kind) => {
  const files = smallFiles(kind);
  const { manifest, ...contents } = readContents(files, manifestIn(files));
  expect(manifest.kind).toBe(kind);
  const filled = Object.entries(contents).flatMap(([part, value]) =>
    value === null || (Array.isArray(value) && value.length === 0) ? [] : [part],
  );
  const agentParts = ["readme", "agent", "training", "datasets", "scorers", "gate", "bases", "policies", "trials"];
  const parts = {
    workflow: "workflow",
    tool_set: "tools",
    policy_pack: "policies",
    dataset: "datasets",
    scorer: "scorers",
  };
  expect(filled).toEqual(kind === "agent" ? agentParts : ["readme", parts[kind]]);
});

it("names a dataset by the digest of its file, and says what data it is", () => {
  const [dataset] = contentsIn(smallFiles("agent")).datasets;
  expect(dataset).toMatchObject({ name: small.dataset, data: "Written for tests.", file: item });
  expect(dataset?.digest).toMatch(/^[0-9a-f]{64}$/);
  const silent = withFile(smallFiles("dataset"), "datasets.json", JSON.stringify([entry]));
  expect(contentsIn(silent).datasets[0]?.data).toBe("Not said by its publisher.");
});

it.each([
  [
    "a file that its kind does not have",
    "agent",
    "tools.json",
    "[]",
    "file_strange",
    "has no place in a bundle of kind agent",
  ],
  ["a file that nobody knows", "scorer", "run.sh", "rm", "file_strange", "has no place"],
  ["an agent without its file", "agent", "agent.yaml", null, "file_missing", "is missing"],
  ["a dataset without its items", "agent", item, null, "file_missing", "datasets.json lists it"],
  ["items that are not listed", "agent", "datasets/other.jsonl", "{}", "not_listed", "stands not in datasets.json"],
  ["a fault in the agent's file", "agent", "agent.yaml", yaml.replace("type: object", "type: thing"), null, "line "],
  [
    "an agent that cannot be frozen",
    "agent",
    "agent.yaml",
    "agent: a\ndescription: A.\nmodel: { provider: builtin }\n",
    "too_few_items",
    "/skills",
  ],
  ["a skill that the agent does not have", "agent", "training/other.jsonl", "{}", "unknown_skill", "the skill other"],
  [
    "an example that does not fit the skill",
    "agent",
    `training/${small.skill}.jsonl`,
    '{"input":{"note":"a"},"output":{"topic":"a"}}',
    "not_allowed",
    "line 1: ",
  ],
  [
    "an input that does not fit the skill",
    "agent",
    item,
    '{"input":{"note":"a"}}\n{"input":{}}',
    "required",
    "line 2: ",
  ],
  [
    "two items of one name",
    "agent",
    item,
    '{"item":"a","input":{"note":"a"}}\n{"item":"a","input":{"note":"b"}}',
    "item_twice",
    "line 2: ",
  ],
  ["a line that is no JSON", "agent", item, '{"input":{"note":"a"}}\n{"input":', "syntax", "line 2: "],
  ["a file without lines", "agent", item, "\n\n", "no_lines", "has no line"],
  ["a name given twice", "agent", "gate.json", '{"floor":0,"floor":1}', "duplicate_name", "line 1: "],
  [
    "a scorer that fails its own samples",
    "scorer",
    "scorers.json",
    '[{"name":"s","kind":"exact","samples":[{"output":{"a":1},"expected":{"a":2},"score":1}]}]',
    "sample_disagrees",
    "/0/samples/0",
  ],
  [
    "two scorers of one name",
    "scorer",
    "scorers.json",
    JSON.stringify(
      Array(2).fill({ name: "s", kind: "exact", samples: [{ output: { a: 1 }, expected: { a: 1 }, score: 1 }] }),
    ),
    "name_twice",
    "/1/name",
  ],
  [
    "a gate with a dataset from elsewhere",
    "agent",
    "gate.json",
    JSON.stringify({ datasets: ["other"], scorers: [{ scorer: small.scorer }] }),
    "not_in_bundle",
    "names other",
  ],
  [
    "a gate with a scorer from elsewhere",
    "agent",
    "gate.json",
    JSON.stringify({ datasets: [small.dataset], scorers: [{ scorer: "s" }] }),
    "not_in_bundle",
    "names s",
  ],
  [
    "a gate that pins a version",
    "agent",
    "gate.json",
    JSON.stringify({ datasets: [{ dataset: small.dataset, version: 1 }], scorers: [{ scorer: small.scorer }] }),
    "pinned_version",
    "/datasets/0",
  ],
  [
    "a gate that lets pass what was not measured",
    "agent",
    "gate.json",
    JSON.stringify({ datasets: [small.dataset], scorers: [{ scorer: small.scorer }], on_missing: "allow" }),
    "excluded",
    "/on_missing",
  ],
  [
    "a gate that lets pass what failed",
    "agent",
    "gate.json",
    JSON.stringify({ datasets: [small.dataset], scorers: [{ scorer: small.scorer }], table: { failed: "allow" } }),
    "excluded",
    "/table",
  ],
  [
    "a document that deletes another",
    "agent",
    `knowledge/${small.base}.json`,
    base({ delete: "hr" }),
    "excluded",
    "/documents/0/delete",
  ],
  [
    "a document that is fetched",
    "agent",
    `knowledge/${small.base}.json`,
    base({ url: "https://example.com/" }),
    "excluded",
    "/documents/0/url",
  ],
  [
    "a document without contents",
    "agent",
    `knowledge/${small.base}.json`,
    base({ title: "T" }),
    "required",
    "/documents/0",
  ],
  [
    "a base whose file has another name",
    "agent",
    `knowledge/${small.base}.json`,
    JSON.stringify({ name: "b", documents: [{ text: "T" }] }),
    "another_name",
    "/name",
  ],
  [
    "a policy with an unknown effect",
    "policy_pack",
    "policies/no-cards.json",
    policy({ effect: "explode" }),
    null,
    "/effect",
  ],
  [
    "a policy for an environment",
    "policy_pack",
    "policies/no-cards.json",
    policy({ scope: { environments: ["production"] } }),
    "excluded",
    "/scope/environments",
  ],
  [
    "two policies of one name",
    "policy_pack",
    "policies/other.json",
    policy({ name: small.policy }),
    "name_twice",
    "/name",
  ],
  [
    "a workflow with an unknown field",
    "workflow",
    "workflow.yaml",
    "workflow: a\nsteps: []\nshell: rm\n",
    null,
    "line ",
  ],
  [
    "a tool without an address",
    "tool_set",
    "tools.json",
    '[{"name":"t","kind":"http","effect":"read"}]',
    "required",
    "/0/request",
  ],
  ["a tool that is no tool", "tool_set", "tools.json", '[{"name":"t","kind":"shell"}]', null, "/0"],
  ["a task to try of no skill", "agent", "try.json", '[{"skill":"other","input":{}}]', "unknown_skill", "/0/skill"],
  ["a scorecard of another form", "agent", "scorecard.json", "{}", "required", "scorecard.json: "],
] as const)("refuses %s", (_what, kind, file, text, fault, detail) => {
  const refusal = refusalOf(kind, file, text);
  if (fault !== null) expect(refusal.fault).toBe(fault);
  expect(refusal.detail).toContain(detail);
});

it("refuses text that is not UTF-8", () => {
  const files = new Map(smallFiles("scorer")).set("readme.md", Buffer.from([0xff]));
  expect(() => contentsIn(files)).toThrow("readme.md: is not UTF-8");
});
