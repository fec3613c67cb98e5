import type { WorkflowDefinition } from "@aos/workflow";
import { expect, it } from "vitest";
import { fileOf } from "./file.ts";
import { definitionFromSource } from "./parser.ts";

const definition: WorkflowDefinition = {
  steps: [
    { set: { n: 1, at: "'no'" }, id: "a" },
    {
      parallel: { branches: { x: [{ set: {}, id: "b" }], y: [{ end: {}, id: "c" }] }, join: "any" },
      id: "both",
      needs: ["a"],
      title: "Two\nlines: # both",
    },
  ],
  output: { yes: "steps.a.output.n" },
  workflow: "made",
};

it("writes a definition as a file that reads back as the same, members in the order of the format", () => {
  const text = fileOf(definition, undefined);
  expect(definitionFromSource(text)).toEqual({ ok: true, definition });
  expect(text.indexOf("workflow: made")).toBe(0);
  expect(text).toMatch(/- id: both\n {4}title: .*\n.*needs:.*parallel:.*- id: b\n/s);
});

it("writes the text that was sent as it was", () => {
  expect(fileOf(definition, "# by hand\nworkflow: made\n")).toBe("# by hand\nworkflow: made\n");
});
