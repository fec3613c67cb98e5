import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type BundleFiles, type BundleManifest, bundleText, makeKey, type Publisher, signBundle } from "@aos/bundle";
import { type BundleContents, readContents } from "./bundles/contents.ts";
import { permissionsOf } from "./bundles/permissions.ts";
import type { BundleKind } from "./schema-words.ts";

// Bundles for tests: a small one of each kind, the starters, and other publishers that sign them.

/** The names in the small bundles. */
export const small = {
  agent: "note-sorter",
  skill: "sort_note",
  dataset: "note-samples",
  scorer: "note-right-topic",
  base: "note-topics",
  policy: "No card numbers in notes",
  workflow: "note-round",
  tool: "find_order",
} as const;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const lines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const bytes = (files: Readonly<Record<string, string>>): BundleFiles =>
  new Map(Object.entries(files).map(([file, text]) => [file, Buffer.from(text)]));

/** The manifest of a small bundle. */
export function manifestOf(kind: BundleKind, more: Partial<BundleManifest> = {}): BundleManifest {
  const name = `small-${kind.replace("_", "-")}`;
  return {
    kind,
    name,
    version: "1.0.0",
    title: `Small ${kind.replace("_", " ")}`,
    summary: "Made for tests.",
    business_function: "Operations",
    license: "Apache-2.0",
    requires: { connections: [] },
    permissions: {},
    limits: ["It knows two topics."],
    ...more,
  };
}

const agentYaml = `agent: ${small.agent}
description: Sorts short notes by topic.
model: { provider: builtin }
knowledge: [${small.base}]
tools:
  - { name: find_topic, kind: search, effect: read, description: Searches the topics., bases: [${small.base}] }
skills:
  - name: ${small.skill}
    title: "{{note}}"
    description: Says which topic a note has.
    input:
      type: object
      required: [note]
      properties: { note: { type: string, minLength: 1, maxLength: 200 } }
    output:
      type: object
      properties: { topic: { enum: [billing, delivery] } }
    impact: { data: internal, reversible: true, external: false }
    limits: { steps: 4, seconds: 30, tokens: 8000, cost_usd: 0.01 }
`;

const topics = ["billing", "delivery"] as const;
const notes = { billing: ["The invoice is too high", "Paid twice"], delivery: ["Parcel is late", "Box was open"] };
const pairs = topics.flatMap((topic) => notes[topic].map((note) => ({ note, topic })));

const datasetFiles = {
  "datasets.json": json([
    { name: small.dataset, skill: small.skill, description: "Notes with topics.", data: "Written for tests." },
  ]),
  [`datasets/${small.dataset}.jsonl`]: lines(
    pairs.map(({ note, topic }, at) => ({
      item: `case-${at + 1}`,
      input: { note: `${note}!` },
      expected: { topic },
    })),
  ),
};
const scorers = [
  {
    name: small.scorer,
    kind: "exact",
    pointer: "/topic",
    description: "The topic is the expected one.",
    samples: [
      { output: { topic: "billing" }, expected: { topic: "billing" }, score: 1 },
      { output: { topic: "billing" }, expected: { topic: "delivery" }, score: 0 },
    ],
  },
];
const policy = {
  name: small.policy,
  scope: { actions: ["task.dispatch"], agents: [small.agent] },
  when: '"payment_card" in data.kinds',
  effect: "deny",
  reason_code: "card_number",
  message: "No card numbers.",
};
const base = {
  name: small.base,
  description: "What belongs to which topic.",
  language: "english",
  documents: [
    { external_id: "billing", title: "Billing", text: "Invoices and payments." },
    { external_id: "delivery", title: "Delivery", text: "Parcels and boxes." },
  ],
};
const workflowYaml = `workflow: ${small.workflow}
input: { type: object, properties: { note: { type: string } }, required: [note] }
steps:
  - id: ask
    approval: { title: "input.note" }
output: { note: input.note }
`;
const tool = {
  name: small.tool,
  kind: "http",
  effect: "read",
  description: "Finds an order.",
  connection: "shop",
  arguments: {
    type: "object",
    required: ["order"],
    additionalProperties: false,
    properties: { order: { type: "string", pattern: "^[0-9]{1,10}$" } },
  },
  request: { method: "GET", url: "https://shop.example/orders/{order}" },
};

const contentsOf: Readonly<Record<BundleKind, Readonly<Record<string, string>>>> = {
  agent: {
    "agent.yaml": agentYaml,
    ...datasetFiles,
    [`training/${small.skill}.jsonl`]: lines(pairs.map(({ note, topic }) => ({ input: { note }, output: { topic } }))),
    "scorers.json": json(scorers),
    "gate.json": json({ datasets: [small.dataset], scorers: [{ scorer: small.scorer }], floor: 0.5, repeats: 1 }),
    [`knowledge/${small.base}.json`]: json(base),
    "policies/no-cards.json": json(policy),
    "try.json": json([{ skill: small.skill, input: { note: "Two invoices" }, output: { topic: "billing" } }]),
  },
  workflow: { "workflow.yaml": workflowYaml },
  tool_set: { "tools.json": json([tool]) },
  policy_pack: { "policies/no-cards.json": json({ ...policy, scope: { actions: ["task.dispatch"] } }) },
  dataset: datasetFiles,
  scorer: { "scorers.json": json(scorers) },
};

/** The files of a small valid bundle, a copy each time. `bundle.json` says no permissions yet: `withPermissions` adds them. */
export function smallFiles(kind: BundleKind, more: Partial<BundleManifest> = {}): BundleFiles {
  const manifest = manifestOf(kind, more);
  const own = { "bundle.json": json(manifest), "readme.md": `# ${manifest.title}\n\nMade for tests.\n` };
  return bytes({ ...own, ...contentsOf[kind] });
}

/** The manifest in files of a bundle. A starter's has no permissions yet. */
export function manifestIn(files: BundleFiles): BundleManifest {
  const manifest = JSON.parse(Buffer.from(files.get("bundle.json") ?? "").toString("utf8")) as BundleManifest;
  return { ...manifest, permissions: manifest.permissions ?? {} };
}

/** What files of a bundle say. */
export const contentsIn = (files: BundleFiles): BundleContents => readContents(files, manifestIn(files));

/** The same files with another text at a path; null takes the file away. */
export function withFile(files: BundleFiles, file: string, text: string | null): BundleFiles {
  const changed = new Map(files);
  if (text === null) changed.delete(file);
  else changed.set(file, Buffer.from(text));
  return changed;
}

/** The same files with the permissions in `bundle.json` that they amount to. */
export function withPermissions(files: BundleFiles): BundleFiles {
  const asks = permissionsOf(contentsIn(files)).map(({ id, kind, value }) => ({ id, kind, value }));
  return withFile(files, "bundle.json", json({ ...manifestIn(files), permissions: { asks } }));
}

export const startersFolder = path.resolve(import.meta.dirname, "../../../../starters");

/** The files of a starter as they stand in its folder. */
export function starterFiles(name: string): BundleFiles {
  const folder = path.join(startersFolder, name);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();
  return new Map(paths.map((file) => [file, readFileSync(path.join(folder, file))]));
}

/** The names of all starters. */
export const starterNames = (): string[] =>
  readdirSync(startersFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** A publisher of another installation, with the key that signs for it. */
export interface Stranger {
  readonly publisher: Publisher;
  readonly privateKey: ReturnType<typeof makeKey>["privateKey"];
}

/** A new publisher with a new key. `id`: 26 characters of an id. */
export function makeStranger(name = "Example Works", id = "01jz0000000000000000000000"): Stranger {
  const { publicKey, privateKey } = makeKey();
  return { publisher: { publisher_id: `pub_${id}`, name, keys: [publicKey], rotations: [] }, privateKey };
}

/** The text of a travelling file that a stranger signed, as `POST /v1/marketplace/listings` takes it in `file`. */
export function signedFile(files: BundleFiles, { publisher, privateKey }: Stranger): string {
  const scan = { tool_version: "0.1.0", findings: { error: 0, warning: 0, note: 0 } };
  const source = { installation: "elsewhere.example", created_at: "2026-01-31T12:00:00Z" };
  return bundleText(signBundle({ files, scan, source, privateKey, publisher }));
}
