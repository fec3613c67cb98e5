import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  circleFindings,
  importFindings,
  importsOf,
  packageFindings,
  sealFindings,
  slicesAbove,
  sliceTableFaults,
} from "../../scripts/checks/imports.ts";
import { limits, sizeFindings, titleFindings, titlesOf } from "../../scripts/checks/sizes.ts";
import { type Finding, readSources, type Source } from "../../scripts/checks/sources.ts";
import { wordFindings, wordRules } from "../../scripts/checks/words.ts";

// Each rule is held against the repository, and shown to bite on a sample that breaks it. The rules themselves are those of `npm run verify`.

const sources = readSources(fileURLToPath(new URL("../..", import.meta.url)), [
  ".ts",
  ".sql",
  ".md",
  ".json",
  ".yaml",
  ".sh",
  ".html",
  ".css",
]);
const told = (findings: readonly Finding[]): string[] =>
  findings.map(({ file, line, what }) => `${file}:${line}: ${what}`);
const file = (name: string, text: string): Source => ({ file: name, text });
const importing = (name: string, target: string): Source => file(name, `import { x } from "${target}";\n`);

describe("imports", () => {
  it("are all found: values, types, several lines, re-exports, bare and dynamic ones", () => {
    const text = [
      'import { a } from "./a.ts";',
      'import type { B } from "./b.ts";',
      "import {\n  c,\n  d,\n} from '../c.ts';".replaceAll("'", '"'),
      'export { e } from "./e.ts";',
      'export * from "./f.ts";',
      'import "./g.ts";',
      'const h = await import("./h.ts");',
      'import pg, { type Pool } from "pg";',
      '// import { no } from "./comment.ts";',
      'export const from = "./no.ts";',
    ].join("\n");
    const targets = importsOf(file("server/src/kernel/x.ts", text)).map(({ target }) =>
      target.replace("server/src/kernel/", ""),
    );
    expect(targets).toEqual(["a.ts", "b.ts", "server/src/c.ts", "e.ts", "f.ts", "g.ts", "h.ts", "pg"]);
  });

  it("follow the table of the architecture", () => {
    expect(told(importFindings(sources))).toEqual([]);
  });

  it.each([
    ["server/src/kernel/x.ts", "../pipeline/run.ts"],
    ["server/src/pipeline/x.ts", "../db/pool.ts"],
    ["server/src/pipeline/x.ts", "../features/tasks/public.ts"],
    ["server/src/db/x.ts", "../pipeline/ports.ts"],
    ["server/src/jobs/x.ts", "../features/tasks/store.ts"],
    ["server/src/audit-log/x.ts", "../pipeline/ports.ts"],
    ["server/src/runtime/x.ts", "../db/pool.ts"],
    ["server/src/runtime/x.ts", "../features/tasks/public.ts"],
    ["server/src/features/tasks/x.ts", "../approvals/store.ts"],
    ["server/src/features/tasks/operations/x.ts", "../../../pipeline/run.ts"],
    ["server/src/features/tasks/x.ts", "../approvals/public.ts"],
    ["server/src/features/agents/x.ts", "../tasks/public.ts"],
    ["server/src/features/governance/x.ts", "../tasks/schemas.ts"],
    ["server/src/features/tasks/x.ts", "../notes/public.ts"],
    ["server/src/features/approvals/requests/x.ts", "../model.ts"],
    ["server/src/features/tasks/x.ts", "../index.ts"],
    ["server/src/features/index.ts", "./tasks/store.ts"],
    ["server/src/http/x.ts", "../features/tasks/store.ts"],
    ["server/src/http/x.ts", "../pipeline/stages.ts"],
    ["server/src/openapi/x.ts", "../features/tasks/store.ts"],
    ["server/src/novelty/x.ts", "../kernel/ids.ts"],
    ["server/src/kernel/x.ts", "../../../cli/src/main.ts"],
    ["cli/src/x.ts", "../../server/src/db/pool.ts"],
    ["cli/src/x.ts", "../../server/src/main.ts"],
    ["packages/proof/src/x.ts", "../../../server/src/kernel/ids.ts"],
    ["packages/proof/src/x.ts", "../../text/src/index.ts"],
    ["sdk/src/x.ts", "../../server/src/kernel/ids.ts"],
    ["sdk/gen/x.ts", "../../scripts/checks/registry.ts"],
  ])("of %s may not be %s", (from, target) => {
    expect(importFindings([importing(from, target)])).toHaveLength(1);
  });

  it.each([
    ["server/src/features/tasks/x.ts", "../approvals/requests/public.ts"],
    ["server/src/features/tasks/x.ts", "../governance/public.ts"],
    ["server/src/features/approvals/x.ts", "../tasks/schemas.ts"],
    ["server/src/features/approvals/x.ts", "./requests/store.ts"],
    ["server/src/features/notes/x.ts", "../tasks/public.ts"],
    ["server/src/features/index.ts", "./tasks/index.ts"],
    ["server/src/http/x.ts", "../pipeline/run.ts"],
    ["server/src/wiring/app.ts", "../features/tasks/store.ts"],
    ["server/src/features/tasks/x.test.ts", "../../testing/app.ts"],
  ])("of %s may be %s", (from, target) => {
    expect(told(importFindings([importing(from, target)]))).toEqual([]);
  });

  it("between slices go upwards in their table, so that no two slices import each other", () => {
    expect(sliceTableFaults()).toEqual([]);
    expect(sliceTableFaults({ a: ["b"], b: ["a"] })).toEqual([
      "a may not name b, which does not stand above it in the table",
    ]);
  });

  it("between slices follow the table that docs/architecture.md shows", () => {
    const text = sources.find(({ file: name }) => name === "docs/architecture.md")?.text ?? "";
    const [, table = ""] = text.split("| slice | may import |\n|---|---|\n");
    const rows =
      table
        .split("\n\n")[0]
        ?.split("\n")
        .map((row) => row.split("|").map((cell) => cell.trim())) ?? [];
    expect(rows.map(([, slice, names]) => [slice, names?.split(", ").filter(Boolean)])).toEqual(
      Object.entries(slicesAbove),
    );
  });

  it("of packages happen in their places only", () => {
    expect(told(packageFindings(sources))).toEqual([]);
  });

  it.each([
    ["server/src/features/tasks/tasks/store.ts", "pg"],
    ["server/src/http/server.ts", "pg"],
    ["server/src/pipeline/run.ts", "fastify"],
    ["server/src/features/tasks/x.ts", "graphile-worker"],
    ["server/src/kernel/x.ts", "@marcbachmann/cel-js"],
    ["server/src/kernel/x.ts", "left-pad"],
    ["packages/proof/src/x.ts", "typebox"],
    ["packages/text/src/x.ts", "@aos/json-schema"],
    ["sdk/src/x.ts", "openapi-typescript"],
    ["cli/src/x.ts", "openapi-fetch"],
  ])("of %s may not be the package %s", (from, target) => {
    expect(packageFindings([importing(from, target)])).toHaveLength(1);
  });

  it("make no circle", () => {
    expect(told(circleFindings(sources))).toEqual([]);
  });

  it("that make a circle are told with the way round, in the server those of types as well", () => {
    const round = [
      importing("server/src/kernel/a.ts", "./b.ts"),
      importing("server/src/kernel/b.ts", "./c.ts"),
      importing("server/src/kernel/c.ts", "./a.ts"),
    ];
    expect(told(circleFindings(round))).toEqual([
      expect.stringContaining("a.ts → server/src/kernel/b.ts → server/src/kernel/c.ts → server/src/kernel/a.ts"),
    ]);
    const types = (folder: string) => [
      importing(`${folder}/a.ts`, "./b.ts"),
      file(`${folder}/b.ts`, 'import type { x } from "./a.ts";\n'),
    ];
    expect(circleFindings(types("server/src/kernel"))).toHaveLength(1);
    expect(circleFindings(types("cli/src"))).toEqual([]);
  });
});

describe("the seal of operations", () => {
  it("is opened by the pipeline alone", () => {
    expect(told(sealFindings(sources))).toEqual([]);
  });

  it.each(["{ open }", "{ describe, open }", "{ open as look }", "* as seal"])(
    "is seen to be broken by import %s",
    (names) => {
      const text = `import ${names} from "../kernel/operation-seal.ts";\n`;
      expect(sealFindings([file("server/src/http/router.ts", text)])).toHaveLength(1);
      expect(sealFindings([file("server/src/pipeline/compile.ts", text)])).toEqual([]);
    },
  );

  it("is not broken by describing", () => {
    expect(
      sealFindings([
        file("server/src/http/router.ts", 'import { describe, type OpenApi } from "../kernel/operation-seal.ts";\n'),
      ]),
    ).toEqual([]);
  });
});

describe.each(wordRules.map((rule) => [rule.name, rule] as const))("the rule %j", (_name, rule) => {
  it("holds, and needs all of its exceptions", () => {
    expect(told(wordFindings(rule, sources))).toEqual([]);
  });
});

describe("the rules about words", () => {
  const samples: Readonly<Record<string, string>> = {
    "literal spreads": `  .${"..{ a, b }"},`,
    environment: "const port = process.env.PORT;",
    "plain words": `// waits ${"unless"} told`,
    time: "const now = Date.now();",
    chance: "const draw = Math.random();",
    contexts: "const ctx: WriteContext = { ...base };",
    "actors without a key": "const by = { keyId: null };",
    "actors cast": `const actor = made as ${"Actor"};`,
    "actors resolved": `const actor = ${"resolved"}As(stored, credential);`,
    "actors that undo": `const actor = ${"undoing"}Actor(stored);`,
    "actors put together": `const actor = ${"stored"}Actor({ owner });`,
    unfinished: `// ${"TO"}DO: later`,
    "left out": `it.${"skip"}("is left out", () => {});`,
    silenced: `// @ts-${"expect-error"} not now`,
  };

  it.each(wordRules.map((rule) => [rule.name, rule] as const))("bite: %s", (name, rule) => {
    const sample = file("server/src/features/tasks/x.ts", `${samples[name]}\n`);
    const unneeded = Object.keys(rule.exceptions).length;
    expect(wordFindings(rule, [sample])).toHaveLength(1 + unneeded);
    expect(wordFindings(rule, [{ ...sample, text: "export const fine = 1;\n" }])).toHaveLength(unneeded);
  });

  it("find a context that is cast instead of made", () => {
    const rule = wordRules.find(({ name }) => name === "contexts") as (typeof wordRules)[number];
    expect(wordFindings(rule, [file("server/src/http/x.ts", "run({} as unknown as ReadContext);")])).toHaveLength(1);
  });
});

describe("files and titles", () => {
  it("are short enough, and sentences", () => {
    expect(told([...sizeFindings(sources), ...titleFindings(sources)])).toEqual([]);
  });

  it("of too many lines are told", () => {
    const long = (lines: number): string => "x;\n".repeat(lines);
    expect(sizeFindings([file("a.ts", long(limits.source)), file("a.test.ts", long(limits.test))])).toHaveLength(2);
    expect(sizeFindings([file("a.ts", long(limits.source - 1)), file("a.test.ts", long(limits.test - 1))])).toEqual([]);
  });

  it("that are no sentences are told", () => {
    const text = [
      '  it("works", f);',
      '  it("should answer", f);',
      '  it.each([[1]])("of %s is fine", f);',
      '  it("answers 404 for what is absent", f);',
    ].join("\n");
    expect(titlesOf(text).map(({ title }) => title)).toEqual([
      "works",
      "should answer",
      "of %s is fine",
      "answers 404 for what is absent",
    ]);
    expect(titleFindings([file("a.test.ts", text)]).map(({ line }) => line)).toEqual([1, 2]);
  });
});

describe("a test that drives a browser, starts services as processes or packs tarballs", () => {
  const slow = /from "(?:playwright-core|[./\w-]*\/(?:browser\.fixture|chromium\.fixture|processes|pack)\.ts)"/;

  it("is named *.slow.test.ts", () => {
    const ordinary = sources.filter(({ file }) => /(?<!\.slow)\.test\.ts$/.test(file));
    expect(ordinary.filter(({ text }) => slow.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
