import fc from "fast-check";
import { expect, it } from "vitest";
import { reservedTools } from "../../../kernel/reply-options.ts";
import type { AgentDefinition } from "../schemas.ts";
import { callerTools, optionFaults } from "./caller-tools.ts";

const own = ["get_order", "refund"];
const version = (rules: readonly { tool: string; effect: "read" | "write" }[]) =>
  ({
    model: { provider: "openai", name: "sample" },
    tools: own.map((name) => ({ name, kind: "record", base: "orders", effect: "read" })),
    callers: { tools: rules },
  }) as Pick<AgentDefinition, "callers" | "tools" | "model">;

it("takes no function whose name the agent or the service has, whatever its rules and its callers say", () => {
  const taken = [...reservedTools, ...own];
  const name = fc.constantFrom(...taken, "get_weather", "set_price");
  const rule = fc.record({
    tool: fc.constantFrom(...taken, "get_*", "a*", "h*", "set_price"),
    effect: fc.constantFrom("read" as const, "write" as const),
  });
  fc.assert(
    fc.property(fc.array(rule), fc.array(name), (rules, names) => {
      const offered = names.map((one) => ({ name: one }));
      const tools = callerTools(version(rules), { tools: offered }).map((tool) => tool.name);
      expect(tools.filter((one) => taken.includes(one))).toEqual([]);
      expect(new Set(tools).size).toBe(tools.length);
      // What is taken without a word is what is called: the two agree.
      if (optionFaults(version(rules), { tools: offered }).length === 0) expect(tools).toEqual(names);
    }),
  );
});

it("governs a function by the first rule that fits its name", () => {
  const rules = [
    { tool: "get_price", effect: "write" as const },
    { tool: "get_*", effect: "read" as const },
  ];
  const tools = callerTools(version(rules), { tools: [{ name: "get_price" }, { name: "get_weather" }] });
  expect(tools.map(({ name, effect }) => [name, effect])).toEqual([
    ["get_price", "write"],
    ["get_weather", "read"],
  ]);
});
