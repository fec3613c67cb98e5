import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileExpression, compilePolicy } from "./compile.ts";
import { createPolicySet, evaluate } from "./evaluate.ts";
import { aContext, aPolicy, compiled } from "./fixtures.ts";
import type { Policy } from "./policy.ts";

const faultsOf = (when: string, actions?: string[]) => {
  const result = compileExpression(when, actions);
  return result.ok ? [] : result.faults;
};
const decide = (when: string) =>
  evaluate(createPolicySet([compiled({ when })], 0), aContext()).reasons[0]?.reason_code ?? "no";

describe("Expressions as people write them", () => {
  test.each([
    ['scoped: risk.level == "high"', true],
    ["scoped: risk.score >= 7", true],
    ["scoped: risk.score == 8 && 8 == risk.score", true],
    ["scoped: risk.score != 8", false],
    ["scoped: risk.score in [7.0, 8.0]", true],
    ["scoped: risk.score * 2 - 1 == 15 && 2 * risk.score / 4 == 4.0", true],
    ["scoped: trust.low < 0.2 && trust.high - trust.low > 0.5", true],
    ['scoped: "eu" in agent.labels && agent.labels.exists(l, l.startsWith("in"))', true],
    ['scoped: skill.name in ["qualify_lead", "draft"]', true],
    ["has(input.amount) && input.amount > 100", true],
    ["has(input.amount) && input.amount == 250 && input.amount * 2 == 500 && input.amount in [1, 250]", true],
    ['has(input.tags) && input.tags.all(t, t == "vip") && size(input.tags) == 1', true],
    ['"lead-id" in input && input["lead-id"] == "ld_1"', true],
    ["has(input.lead) && has(input.lead.city) && input.lead.city == null", true],
    ["!has(input.nothing) || input.nothing == 1", true],
    ["has(input.nothing) ? input.nothing == 1 : true", true],
    ["has(input.amount) && type(input.amount) == string", false],
    ['environment == "production" && action == "task.dispatch" && agent.name == "sales"', true],
    ['time.weekday == "friday" && time.hour == 9 && time.now.getMinutes() == 30', true],
    [
      'time.now < timestamp("2026-01-02T10:00:00Z") && time.now + duration("1h") > timestamp("2026-01-02T10:00:00Z")',
      true,
    ],
    ['principal.kind != "member" || has(key.scopes)', false],
    [
      'glob(agent.name, "s*s") && startsWith(agent.name, "sa") && endsWith(agent.name, "es") && contains(agent.name, "al")',
      true,
    ],
    ['has(input.lead_id) && input.lead_id.startsWith("ld_") && domain("x@a.example") == "a.example"', true],
    ['inCidr("10.1.2.3", "10.0.0.0/8") // the office', true],
  ])("%s", (text, expected) => {
    const scoped = text.startsWith("scoped: ");
    const policy = compiled({
      when: text.replace("scoped: ", ""),
      scope: scoped ? { actions: ["task.dispatch"] } : {},
    });
    const { reasons } = evaluate(createPolicySet([policy], 0), aContext());
    expect(reasons.map((r) => r.reason_code)).toEqual(expected ? ["not_wanted"] : []);
  });
});

describe("Refused, with its place in the text", () => {
  const many = Array.from({ length: 101 }, () => "true").join(" && ");
  const corpus: [string, string, number, number][] = [
    ['has(input.a) && input.a.matches("(a+)+$")', "matches_not_allowed", 1, 25],
    ['matches("a", "b")', "matches_not_allowed", 1, 1],
    [`${"(".repeat(10_000)}true${")".repeat(10_000)}`, "nested_too_deeply", 1, 25],
    [`${"[".repeat(2_000)}`, "nested_too_deeply", 1, 25],
    [`${"!".repeat(4_000)}true`, "nested_too_deeply", 1, 9],
    [`${"- ".repeat(1_000)}1 == 1`, "nested_too_deeply", 1, 17],
    [`${"true ? true : ".repeat(250)}true`, "nested_too_deeply", 1, 666],
    [`true || "${"x".repeat(5_000)}" == ""`, "expression_too_long", 1, 4097],
    [many, "too_many_nodes", 1, 801],
    [`agent.name in [${Array.from({ length: 257 }, () => '"a"').join(",")}]`, "list_too_long", 1, 1040],
    ["agent.labels.exists(x, agent.labels.exists(y, x == y))", "macro_nested", 1, 37],
    ["agent.labels.map(x, agent.labels.filter(y, true)).size() > 0", "macro_nested", 1, 34],
    ["agent.labels.all(input, true)", "name_taken", 1, 18],
    ["agent.labels.all(has(input.a), true)", "syntax_error", 1, 18],
    ["cel.bind(x, [1], x == x)", "unknown_function", 1, 5],
    ["agent.labels + agent.labels == agent.labels", "list_addition", 1, 1],
    ["has(input.l) && input.l.exists(x, x + x == 2)", "untyped_addition", 1, 35],
    ["agent.labels[0] == 'x'", "computed_access", 1, 1],
    ["input[agent.name] == 'x'", "computed_access", 1, 1],
    ['{"a": 1} == input', "map_literal", 1, 1],
    ["input.lead_id == 'x'", "unguarded_field", 1, 7],
    ["true &&\n  input.lead_id == 'x'", "unguarded_field", 2, 9],
    ['has(input.a) || input.a == "x"', "unguarded_field", 1, 23],
    ["has(input.a) ? true : input.a == 1", "unguarded_field", 1, 29],
    ["!(has(input.a) && true) && input.a == 1", "unguarded_field", 1, 34],
    ["input.a == 1 && has(input.a)", "unguarded_field", 1, 7],
    ["has(input.a.b)", "unguarded_field", 1, 11],
    ["has(input.l) && input.l.exists(x, has(x.a)) && input.l.all(x, x.a == 1)", "unguarded_field", 1, 65],
    ['input["lead-id"] == "x"', "unguarded_field", 1, 1],
    ['tool.effect == "write"', "unguarded_field", 1, 6],
    ["key.id == 'key_1'", "unguarded_field", 1, 5],
    ["spend.task_usd > 1", "unguarded_field", 1, 7],
    ["risk.lvel == 'high'", "unknown_field", 1, 6],
    ["has(tool.nam)", "unknown_field", 1, 10],
    ["risk.level.x == 1", "unknown_field", 1, 12],
    ["user.name == 'x'", "unknown_name", 1, 1],
    ["google == google", "unknown_name", 1, 1],
    ["agent == agent", "field_required", 1, 1],
    ["has(agent)", "invalid_has", 1, 5],
    ["has()", "invalid_has", 1, 1],
    ["risk.level == 'hihg'", "unknown_value", 1, 15],
    ["environment in ['production', 'test']", "unknown_value", 1, 31],
    ["risk.level == 3", "type_mismatch", 1, 1],
    ["agent.name.startsWith(1)", "type_mismatch", 1, 1],
    ["risk.score in [7, 8]", "type_mismatch", 1, 1],
    ["inCidr('1.2.3.4', '1.2.3.4/40')", "invalid_cidr", 1, 19],
    [`glob(agent.name, '${"*".repeat(300)}')`, "pattern_too_long", 1, 18],
    ["risk.score", "not_boolean", 1, 1],
    ["has(input.a) ? input.a : input.a", "not_boolean", 1, 1],
    ["risk.score >", "syntax_error", 1, 13],
    ["'open", "syntax_error", 1, 1],
    ["risk.score = 3", "syntax_error", 1, 12],
    ["while", "syntax_error", 1, 1],
  ];
  test.each(corpus.map(([when, ...place]) => [when.slice(0, 60).replaceAll("\n", " "), when, ...place] as const))(
    "%s",
    (_, when, code, line, column) => {
      const [first] = faultsOf(when);
      expect(first && [first.pointer, first.code, first.line, first.column]).toEqual(["/when", code, line, column]);
      expect(
        when
          .split("\n")
          .slice(0, line - 1)
          .reduce((sum, text) => sum + text.length + 1, column - 1),
      ).toBe(first?.offset);
    },
  );

  test("A field that all named actions carry needs no has().", () => {
    expect(faultsOf('tool.effect == "write"', ["tool.call"])).toEqual([]);
    expect(faultsOf('tool.effect == "write"', ["tool.call", "task.dispatch"])).toHaveLength(1);
    expect(faultsOf('agent.name == "sales"', ["task.cancel"])).toHaveLength(1);
  });

  test("Unknown names are all named at once.", () => {
    expect(faultsOf("risk.a == 1 && agent.b == 2 && c == 3").map((f) => f.column)).toEqual([6, 22, 32]);
  });
});

describe("Members", () => {
  const pointers = (members: Partial<Policy> | Record<string, unknown>) => {
    const result = compilePolicy({ ...aPolicy(), ...members } as Policy);
    return result.ok ? [] : result.faults.map((f) => `${f.pointer} ${f.code}`);
  };

  test("Effects that shape a run are refused where they would do nothing.", () => {
    const limit = (scope: object) => pointers({ effect: "limit", params: { steps: 3 }, scope });
    expect(limit({ actions: ["task.dispatch", "task.run"] })).toEqual([]);
    expect(limit({})).toEqual(["/scope/actions effect_without_meaning"]);
    expect(limit({ actions: ["task.run", "tool.call"] })).toEqual(["/scope/actions/1 effect_without_meaning"]);
    const redact = (scope: object) => pointers({ effect: "redact", params: {}, scope });
    expect(redact({})).toEqual([]);
    expect(redact({ actions: ["tool.call", "task.run"] })).toEqual([]);
    expect(redact({ actions: ["task.dispatch"] })).toEqual(["/scope/actions/0 effect_without_meaning"]);
  });

  test("Data classes are read by name: a kind that no detector knows is a mistake.", () => {
    expect(pointers({ when: '"iban" in data.kinds && data.level == "restricted"' })).toEqual([]);
    expect(pointers({ when: '"credit_card" in data.kinds' })).toEqual(["/when unknown_value"]);
    expect(pointers({ when: 'data.level == "secret"' })).toEqual(["/when unknown_value"]);
  });

  test.each([
    [{ effect: "require_approval", params: { approvers: 6 } }, "/params/approvers invalid_value"],
    [{ effect: "require_approval", params: { requester_allowed: "no" } }, "/params/requester_allowed invalid_type"],
    [{ effect: "require_approval", params: { aprovers: 2 } }, "/params/aprovers unknown_member"],
    [{ effect: "tag", params: {} }, "/params/tags required"],
    [{ effect: "tag", params: { tags: ["ok", "Not ok"] } }, "/params/tags/1 invalid_value"],
    [{ effect: "deny", params: { tags: ["a"] } }, "/params/tags unknown_member"],
    [{ effect: "block" }, "/effect invalid_value"],
    [{ effect: "redact", params: { kinds: ["passport"] } }, "/params/kinds/0 invalid_value"],
    [{ effect: "redact", params: { kinds: [] } }, "/params/kinds empty"],
    [{ effect: "redact", params: { kind: ["email"] } }, "/params/kind unknown_member"],
    [{ effect: "limit", params: {}, scope: { actions: ["task.run"] } }, "/params required"],
    [{ effect: "limit", params: { steps: 0 }, scope: { actions: ["task.run"] } }, "/params/steps invalid_value"],
    [{ effect: "limit", params: { seconds: 1.5 }, scope: { actions: ["task.run"] } }, "/params/seconds invalid_value"],
    [{ effect: "limit", params: { cost_usd: -1 }, scope: { actions: ["task.run"] } }, "/params/cost_usd invalid_value"],
    [{ effect: "notify", params: { to: "me" } }, "/params/to unknown_member"],
    [{ scope: { actions: [] } }, "/scope/actions empty"],
    [{ scope: { environments: ["prod"] } }, "/scope/environments/0 invalid_value"],
    [{ scope: { agent: ["sales"] } }, "/scope/agent unknown_member"],
    [{ scope: { agents: ["Sales"] } }, "/scope/agents/0 invalid_value"],
    [{ reason_code: "policy_error" }, "/reason_code reserved"],
    [{ effective_from: 2, effective_until: 2 }, "/effective_until invalid_value"],
    [{ when: " " }, "/when required"],
    [{ id: "x" }, "/id invalid_value"],
    [{ version: 0 }, "/version invalid_value"],
    [{ state: "on" }, "/state invalid_value"],
    [{ message: "" }, "/message invalid_value"],
    [{ controls: "soc2" }, "/controls invalid_type"],
  ])("%j is %s.", (members, expected) => {
    expect(pointers(members)).toEqual([expected]);
  });

  test("Faults of members and of the expression are answered together.", () => {
    expect(pointers({ message: "", when: "risk.lvl == 1" })).toEqual(["/message invalid_value", "/when unknown_field"]);
  });
});

describe("Whatever the text", () => {
  const tokens = fc.constantFrom(
    ...'has( input .a ["b"] risk.score ( ) [ ] { } && || ! - ? : , in == < + 1 1.5 "x" \' """ r\' b\' // \n \\ exists( x all(x,'.split(
      " ",
    ),
    ..."matches( null true google cel.bind( 0x 1e 1u".split(" "),
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(tokens, { maxLength: 40 }).map((list) => list.join(" ")),
  );

  test("compiling answers with faults that have a place, and never throws.", () => {
    fc.assert(
      fc.property(texts, (when) => {
        for (const fault of faultsOf(when)) {
          expect(fault.pointer).toBe("/when");
          expect(fault.detail).not.toMatch(/undefined|\bat .*\.js/);
          if (fault.code !== "required") expect(fault.offset).toBeLessThanOrEqual(when.length);
        }
      }),
    );
  });

  const places = ["input.a", "input.b", "tool.name"] as const;
  const leaf = fc.oneof(
    fc.constantFrom(...places).map((place) => `has(${place})`),
    fc.constantFrom(...places).map((place) => `${place} == "1"`),
    fc.constantFrom("true", "false"),
  );
  const { formula } = fc.letrec<{ formula: string }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.tuple(tie("formula"), fc.constantFrom("&&", "||"), tie("formula")).map(([a, op, b]) => `(${a} ${op} ${b})`),
      tie("formula").map((a) => `!${a.startsWith("!") ? `(${a})` : `(${a})`}`),
      fc.tuple(tie("formula"), tie("formula"), tie("formula")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    ),
  }));

  test("an expression that passed the check of has() finds every field it reads, whichever are absent.", () => {
    let passed = 0;
    fc.assert(
      fc.property(formula, (when) => {
        if (faultsOf(when).length > 0) return;
        passed++;
        const set = createPolicySet([compiled({ when })], 0);
        for (let mask = 0; mask < 8; mask++) {
          const input = { ...(mask & 1 ? { a: "1" } : {}), ...(mask & 2 ? { b: "2" } : {}) };
          const verdict = evaluate(
            set,
            aContext({ input, tool: mask & 4 ? { name: "1", effect: "read" } : undefined }),
          );
          expect(verdict.reasons.map((r) => r.reason_code)).not.toContain("policy_error");
        }
      }),
    );
    expect(passed).toBeGreaterThan(5);
  });
});

test("Fields of the prototype are no fields.", () => {
  expect(decide("has(input.constructor) || has(input.__proto__) || has(input.toString)")).toBe("no");
  expect(faultsOf("has(agent.constructor)")[0]?.code).toBe("unknown_field");
});
