import { compileSchema } from "@aos/json-schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { exampleAgent } from "../example.ts";
import { anyBundle, fullBundle } from "./bundle/bundle.fixture.ts";
import { freezeFaults } from "./bundle/check.ts";
import { shapeFaults } from "./bundle/check-shape.ts";
import { AgentBundle, AgentDefinition, joinBundle, splitBundle } from "./schemas.ts";

const validate = compileSchema(AgentBundle);

it("accepts by the published schema what is accepted form by form, and nothing else", () => {
  // One field of the bundle, of its model or of a tool becomes something else.
  const anything = fc.oneof(
    fc.constantFrom<unknown>(null, "", "write", "record", "builtin", 0, -1, [], {}, [{}], undefined),
    fc.string(),
  );
  const field = fc.constantFrom(
    "agent",
    "description",
    "model",
    "provider",
    "name",
    "settings",
    "tools",
    "kind",
    "base",
    "effect",
    "request",
    "server",
    "skills",
    "extra",
  );
  fc.assert(
    fc.property(anyBundle, fc.constantFrom("bundle", "model", "tool"), field, anything, (bundle, part, name, value) => {
      const changed = structuredClone(bundle);
      const target = part === "bundle" ? changed : part === "model" ? changed.model : changed.tools[0];
      if (target) Object.assign(target, { [name]: value });
      const sent = JSON.parse(JSON.stringify(changed));
      expect(shapeFaults(sent).length === 0).toBe(validate(sent).length === 0);
    }),
  );
});

it("holds what is stored and shown of agents so far", () => {
  expect(compileSchema(AgentDefinition)(exampleAgent.definition)).toEqual([]);
});

it("is parted into what the agent keeps and what a version freezes, and put together again", () => {
  const { agent, labels, definition } = splitBundle(fullBundle);
  expect(compileSchema(AgentDefinition)(definition)).toEqual([]);
  expect(joinBundle(agent, labels, definition)).toEqual(fullBundle);
});

it("takes a price of a call for every kind of tool, and none below nothing", () => {
  const priced = (cost_usd: number) => ({
    ...fullBundle,
    tools: fullBundle.tools.map((tool) => ({ ...tool, cost_usd })),
  });
  expect(shapeFaults(priced(0.03))).toEqual([]);
  expect(shapeFaults(priced(-0.01)).map(({ pointer }) => pointer)).toEqual(
    fullBundle.tools.map((_tool, n) => `/tools/${n}/cost_usd`),
  );
});

it("lets a version be frozen that lacks nothing", () => {
  expect(freezeFaults(splitBundle(fullBundle).definition)).toEqual([]);
});

it("says what a draft lacks for a version", () => {
  const { definition } = splitBundle(fullBundle);
  const draft: AgentDefinition = {
    ...definition,
    skills: [],
    tools: [{ name: "send", kind: "http", effect: "write" }],
  };
  expect(freezeFaults(draft).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    "/skills too_few_items",
    "/tools/0/request required",
    "/tools/0/impact required",
  ]);
});
