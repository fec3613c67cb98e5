import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { freezeFaults, parseBundle } from "../../server/src/features/agents/definitions/bundle/index.ts";
import { AgentBundle } from "../../server/src/features/agents/definitions/schemas.ts";
import { agentFileExamples, agentFilePage } from "./agent-file.ts";

describe("the page of the agent file", () => {
  const rows = new Set(
    [...agentFilePage().matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = ""]) => path.split(".").at(-1)),
  );

  it("has a row for each field of the schema, in every form of models and tools", () => {
    expect(rows.size).toBeGreaterThan(50);
    expect(namesIn(AgentBundle).filter((name) => !rows.has(name))).toEqual([]);
  });

  it("shows files that the service takes, and that make a version", () => {
    for (const example of agentFileExamples()) {
      const read = parseBundle(stringify(example));
      expect(read.ok ? freezeFaults(read.bundle) : read.faults).toEqual([]);
    }
  });
});

/** The names of all properties in a schema, however deep. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  const { properties = {}, ...rest } = schema as { properties?: object };
  return [
    ...Object.keys(properties),
    ...Object.values(properties).flatMap(namesIn),
    ...Object.values(rest).flatMap(namesIn),
  ];
}
