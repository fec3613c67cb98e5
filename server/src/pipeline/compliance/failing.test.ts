import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileExpression, loadPolicy } from "./compile.ts";
import { createPolicySet, evaluate } from "./evaluate.ts";
import { aContext, aPolicy } from "./fixtures.ts";

const faultsOf = (when: string) => {
  const result = compileExpression(when, ["task.dispatch"]);
  return result.ok ? [] : result.faults;
};

describe("A condition that can fail is refused where it can", () => {
  test.each([
    ["1 / 0 == 1", "always_fails", 1, "division by zero. Divide by a number other than 0"],
    ['agent.name == "x" && 1 % 0 == 1', "always_fails", 22, "modulo by zero"],
    ['has(input.a) || int("x") == 1', "always_fails", 17, 'int("x") always fails'],
    ['(2 > 1 || true) && (int("x") + 1) == 1', "always_fails", 21, 'int("x")'],
    ["9223372036854775807 + 1 > 0", "always_fails", 1, "overflow"],
    ['time.now > timestamp("tomorrow")', "always_fails", 12, "ISO 8601"],
    ['time.now + duration("a day") > time.now', "always_fails", 12, "duration"],
    ['time.now + duration("9999999h") > time.now', "duration_too_long", 12, "100 years"],
    ['inCidr("nowhere", "10.0.0.0/8")', "always_fails", 1, "not an IP address"],
    ["risk.score / 0 > 1.0", "division_by_variable", 14, "Dividing by 0"],
    ["size(agent.name) / size(agent.labels) > 2", "division_by_variable", 20, "double(size(input.tags))"],
    ["has(input.l) && input.l.map(m, size(m)).exists(n, 10 / n > 1)", "division_by_variable", 56, "can be 0"],
    ["int(1.0 / (trust.low - 0.5)) > 1", "conversion_may_fail", 1, "trust.low - 0.5"],
    ["int(0.0 * (1.0 / risk.score)) > 1", "conversion_may_fail", 1, "risk.score"],
    ["has(input.l) && 10 % size(input.l) == 0", "division_by_variable", 22, "can be 0"],
    ["[1, 0].exists(x, 4 / x == 4)", "division_by_variable", 22, "x can be 0"],
    ["has(input.n) && input.n % 2 == 0", "remainder_of_fraction", 17, "int(input.n)"],
    ["size(agent.name) * 4611686018427387904 > 0", "may_overflow", 1, "double(size(input.tags))"],
    ["has(input.n) && int(input.n) * 10000 > 2", "may_overflow", 17, "largest whole number"],
    ["has(input.n) && int(input.n * 1e300) > 2", "conversion_may_fail", 17, "1e300"],
    [
      "agent.labels.map(l, size(l)).exists(n, n * 9223372036854775807 > 1)",
      "may_overflow",
      40,
      "n * 9223372036854775807",
    ],
    ["int(agent.name) == 1", "conversion_may_fail", 1, "compare the text itself"],
    ["agent.labels.exists(l, double(l) > 1.0)", "conversion_may_fail", 24, "double(l) fails where l"],
    ["bool(environment)", "conversion_may_fail", 1, "environment cannot be read so"],
    ["timestamp(int(version.number)) > time.now", "conversion_may_fail", 1, "compare time.now"],
    ["domain(principal.id) == 'a.example'", "conversion_may_fail", 1, "text of the input"],
    ["inCidr(principal.id, '10.0.0.0/8')", "conversion_may_fail", 1, "key.address"],
    ["has(key.address) && inCidr(key.address, agent.name)", "not_written_out", 41, "10.0.0.0/8"],
    ["glob(agent.name, skill.name)", "not_written_out", 18, "sales*"],
    [`glob(agent.name, "${"a".repeat(200)}" + "${"b".repeat(57)}")`, "not_written_out", 18, "sales*"],
    ["has(key.address) && inCidr(key.address, '10.0.0.0' + '/99')", "not_written_out", 41, "10.0.0.0/8"],
    ["time.now.getHours('Berlin') > 8", "unknown_time_zone", 19, "Europe/Berlin"],
  ])("%s", (when, code, column, said) => {
    const [fault] = faultsOf(when);
    expect(fault && [fault.pointer, fault.code, fault.column]).toEqual(["/when", code, column]);
    expect(fault?.detail).toContain(said);
  });

  test.each([
    "true || 1 / 0 == 1",
    '((2) * (3)) / ((1) + (1)) == 3 && "(" + ")" == "()" // (',
    "risk.score / 2 > 3.0 && size(agent.name) / 2 > 1 && size(agent.name) % (1 + 1) == 0",
    "has(input.sum) && has(input.count) && input.sum / input.count > 100 && 100 / (input.count - 1) > 3 && trust.low / trust.high > 0.5",
    "has(input.items) && input.items.exists(i, has(i.sum) && has(i.count) && i.sum / i.count > 9) && 10 / (size(input.items) + 1) > 2",
    "int(risk.score) % 3 == 0 && double(risk.score) > 1.0 && string(risk.score) != ''",
    "has(input.n) && input.n / 3 > 1 && has(input.at) && timestamp(input.at) > time.now && int(input.n) % 2 == 0",
    'has(input.mail) && domain(input.mail) == "a.example" && has(key.address) && inCidr(key.address, "10.0.0.0/8")',
    'time.now.getHours("Europe/Berlin") >= 8 && time.now + duration("12h") > timestamp("2026-01-01T00:00:00Z")',
    'agent.labels.map(l, string(l) + "x").exists(x, x == "eux") && [1, 2].exists(n, n * 2 == 4) && size(agent.labels) * 1000 > 1',
  ])("%s is taken", (when) => {
    expect(faultsOf(when)).toEqual([]);
  });

  test("A stored one that an earlier release took goes on, and fails only on the calls on which it fails", () => {
    const scope = { actions: ["task.dispatch"] };
    const stored = loadPolicy(aPolicy({ when: "10 / size(agent.labels) == 5", scope }));
    const decide = (labels: string[]) =>
      evaluate(createPolicySet([stored], 0), aContext({ agent: { name: "sales", labels } })).reasons;
    expect(decide(["a", "b"])).toMatchObject([{ reason_code: "not_wanted" }]);
    expect(decide([])).toMatchObject([{ reason_code: "policy_error" }]);
  });
});

describe("Whatever the call", () => {
  const number = fc.letrec<{ int: string; double: string }>((tie) => ({
    int: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        "0",
        "1",
        "2",
        "-3",
        "9223372036854775807",
        "4611686018427387904",
        "size(agent.name)",
        "size(agent.labels)",
      ),
      fc.constantFrom(
        "time.now.getHours()",
        "time.now.getFullYear('Asia/Tokyo')",
        "size(input.tags)",
        'int("12")',
        'int("x")',
        "int(agent.name)",
      ),
      fc
        .tuple(tie("int"), fc.constantFrom("+", "-", "*", "/", "%"), tie("int"))
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      tie("double").map((a) => `int(${a})`),
      fc.tuple(tie("int"), tie("int"), tie("int")).map(([a, b, c]) => `(${a} > 1 ? ${b} : ${c})`),
      tie("int").map((a) => `(-${a.startsWith("-") ? `(${a})` : a})`),
    ),
    double: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        "0.0",
        "1.5",
        "1e308",
        "risk.score",
        "trust.low",
        "version.number",
        "time.hour",
        "input.amount",
        'double("1.5")',
      ),
      fc.constantFrom("(1 / input.amount)", "(input.amount / size(agent.labels))", "(trust.low / (input.amount - 1))"),
      fc.constantFrom("double(agent.name)", "double(input.amount)"),
      fc
        .tuple(tie("double"), fc.constantFrom("+", "-", "*", "/"), tie("double"))
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc.tuple(tie("double"), fc.constantFrom("+", "-", "*", "/"), tie("int")).map(([a, op, b]) => `(${a} ${op} ${b})`),
      tie("int").map((a) => `double(${a})`),
    ),
  }));
  const condition = fc.oneof(
    fc.tuple(number.int, fc.constantFrom("==", "<", ">="), number.int).map(([a, op, b]) => `${a} ${op} ${b}`),
    fc.tuple(number.double, fc.constantFrom("<", ">="), number.double).map(([a, op, b]) => `${a} ${op} ${b}`),
    fc
      .tuple(fc.constantFrom("all", "exists", "exists_one"), number.int)
      .map(([macro, a]) => `agent.labels.${macro}(l, size(l) + ${a} > 2)`),
    fc
      .tuple(fc.constantFrom("1h", "-2h", "900000h", "x"), number.int)
      .map(([d, a]) => `(time.now + duration("${d}")).getHours() > ${a}`),
  );
  const whole = fc
    .array(condition, { minLength: 1, maxLength: 3 })
    .map((all) => `has(input.amount) && has(input.tags) && (${all.map((one) => `(${one})`).join(" || ")})`);
  const texts = fc.string({ unit: "binary", maxLength: 20 });
  const finite = fc.double({ noNaN: true, min: -(2 ** 53), max: 2 ** 53 });
  const contexts = fc.record({
    name: texts,
    labels: fc.array(texts, { maxLength: 5 }),
    amount: finite,
    score: fc.integer({ min: 0, max: 12 }),
    number: fc.integer({ min: 1, max: 2 ** 53 }),
  });

  test("a condition that was taken never fails, as long as the input is of the types that it reads.", () => {
    let taken = 0;
    fc.assert(
      fc.property(whole, fc.array(contexts, { minLength: 3, maxLength: 3 }), (when, calls) => {
        const result = compileExpression(when, ["task.dispatch"]);
        if (!result.ok) return;
        taken++;
        const set = createPolicySet([{ ...result, policy: aPolicy({ when }) }], 0);
        for (const { name, labels, amount, score, number } of calls) {
          const risk = { level: "high", score, impact: 4, likelihood: 4 } as const;
          const context = aContext({
            agent: { name, labels },
            input: { amount, tags: labels },
            risk,
            version: { number, id: "ver_1" },
          });
          expect(evaluate(set, context).reasons.map((r) => r.reason_code)).not.toContain("policy_error");
        }
      }),
    );
    expect(taken).toBeGreaterThan(5);
  });
});
