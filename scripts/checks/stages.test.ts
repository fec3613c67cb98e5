import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readSources, type Source } from "./sources.ts";
import { stageFindings } from "./stages.ts";

const sources = readSources(fileURLToPath(new URL("../..", import.meta.url)), [".ts"]);
const folder = "server/src/pipeline/";

/** The findings after one file of the pipeline was changed. */
const after = (name: string, change: (text: string) => string): string[] =>
  stageFindings(
    sources.map(
      (source): Source => (source.file === folder + name ? { ...source, text: change(source.text) } : source),
    ),
  ).map(({ file, what }) => `${file.slice(folder.length)} ${what}`);

it("the stages of a call follow their order", () => {
  expect(stageFindings(sources)).toEqual([]);
});

it("a stage that names a later value or imports a later stage is found", () => {
  expect(after("authorize.ts", (text) => `import type { Governed } from "./stages.ts";\n${text}`)).toEqual([
    "authorize.ts names Governed, which a later stage decides",
  ]);
  expect(after("input.ts", (text) => `import { govern } from "./govern.ts";\n${text}`)).toEqual([
    "input.ts imports a later stage, server/src/pipeline/govern.ts",
  ]);
});

it("a member of a call's values that can change is found", () => {
  expect(after("stages.ts", (text) => text.replace("readonly scope", "scope"))).toEqual([
    "stages.ts scope can change; make it readonly",
  ]);
});
