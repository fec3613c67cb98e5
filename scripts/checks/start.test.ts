import { expect, it } from "vitest";
import type { Source } from "./sources.ts";
import { startFindings } from "./start.ts";

const source = (file: string, text: string): Source => ({ file, text });

it("a start that loads a parser through an operation or a package is found", () => {
  const sources = [
    source("server/src/features/notes/operations/read-note.ts", 'import { read } from "../feed.ts";\n'),
    source("server/src/features/notes/feed.ts", '\nimport { parseFeed } from "feedsmith";\n'),
    source("server/src/wiring/app.ts", 'import { read } from "@aos/notes";\n'),
    source("packages/notes/src/index.ts", 'export { parse } from "parse5";\n'),
  ];
  expect(startFindings(sources)).toEqual([
    { file: "server/src/features/notes/feed.ts", line: 2, what: "loads feedsmith at every start" },
    { file: "packages/notes/src/index.ts", line: 1, what: "loads parse5 at every start" },
  ]);
});

it("types, later imports and files that no start loads may name a parser", () => {
  const sources = [
    source("server/src/main.ts", 'import type { Feed } from "feedsmith";\nconst later = () => import("./later.ts");\n'),
    source("server/src/later.ts", 'import { parseFeed } from "feedsmith";\n'),
  ];
  expect(startFindings(sources)).toEqual([]);
});
