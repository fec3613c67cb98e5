import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AGENT_ACTIONS, allActions, isNeverDenied } from "./actions.ts";
import { loadPolicy } from "./compile.ts";
import type { PolicyContext } from "./context.ts";
import { createPolicySet, evaluate } from "./evaluate.ts";
import { aContext, aPolicy, compiled } from "./fixtures.ts";
import type { Policy } from "./policy.ts";

const decide = (policies: Partial<Policy>[], context: Partial<PolicyContext> = {}) =>
  evaluate(createPolicySet(policies.map(compiled), 0), aContext(context));
const failing: Partial<Policy> = { id: "pol_bad", when: "has(input.lead_id) && input.lead_id > 3" };
const approval = (id: string, params: object): Partial<Policy> => ({ id, effect: "require_approval", params });

describe("What applies", () => {
  test("Without named actions a policy applies to what agents do and to nothing else.", () => {
    for (const action of AGENT_ACTIONS) expect(decide([{}], { action }).verdict).toBe("deny");
    expect(decide([{}], { action: "task.cancel" })).toMatchObject({ verdict: "allow", evaluated: 0 });
  });

  test("Only policies of the action, the environment and the agent are evaluated.", () => {
    const policies: Partial<Policy>[] = [
      { id: "pol_1", scope: { actions: ["task.cancel"] } },
      { id: "pol_2", scope: { environments: ["staging"] } },
      { id: "pol_3", scope: { agents: ["support", "hr*"] } },
      {
        id: "pol_4",
        scope: { agents: ["sal*"], actions: ["task.dispatch"], environments: ["production"] },
        when: "false",
      },
    ];
    expect(decide(policies)).toMatchObject({ verdict: "allow", evaluated: 1 });
    expect(decide(policies, { agent: { name: "hr_eu", labels: [] } })).toMatchObject({ verdict: "deny", evaluated: 1 });
    expect(decide(policies, { environment: "staging" }).reasons.map((r) => r.policy)).toEqual(["pol_2"]);
    expect(decide(policies, { action: "task.cancel", agent: undefined }).reasons.map((r) => r.policy)).toEqual([
      "pol_1",
    ]);
  });

  test("The index gives what a walk over all scopes gives.", () => {
    const agents = ["sales", "support", "hr"];
    const part = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });
    const scopes = fc.record({
      actions: part(["task.dispatch", "tool.call", "task.cancel"]),
      agents: part(["s*", "hr", "*"]),
      environments: part(["production", "staging"] as const),
    });
    const calls = fc.record({
      action: fc.constantFrom("task.dispatch", "tool.call", "task.cancel"),
      environment: fc.constantFrom("production", "staging", "development"),
      agent: fc.constantFrom(...agents),
    });
    fc.assert(
      fc.property(fc.array(scopes, { maxLength: 8 }), fc.array(calls, { maxLength: 8 }), (all, asked) => {
        const policies = all.map((scope, i) => ({ id: `pol_${i}`, scope: JSON.parse(JSON.stringify(scope)) }));
        const set = createPolicySet(policies.map(compiled), 0);
        for (const { action, environment, agent } of asked) {
          const expected = all.flatMap((s, i) => {
            const inAction = s.actions ? s.actions.includes(action) : action !== "task.cancel";
            const inAgent =
              !s.agents || s.agents.some((a) => a === "*" || a === agent || (a === "s*" && agent !== "hr"));
            const inEnvironment = !s.environments || (s.environments as readonly string[]).includes(environment);
            return inAction && inAgent && inEnvironment ? [`pol_${i}`] : [];
          });
          const verdict = evaluate(set, aContext({ action, environment, agent: { name: agent, labels: [] } }));
          expect(verdict.reasons.map((r) => r.policy)).toEqual(expected);
        }
      }),
    );
  });

  test("A policy holds from its first moment on and ends before its last.", () => {
    const set = createPolicySet([compiled({ effective_from: 100, effective_until: 200 })], 0);
    const at = (now: number) => evaluate(set, aContext({ now })).verdict;
    expect([at(99), at(100), at(199), at(200)]).toEqual(["allow", "deny", "deny", "allow"]);
    expect(createPolicySet([compiled({ effective_until: 200 })], 200).size).toBe(0);
  });

  test("Drafts and retired policies do nothing.", () => {
    expect(decide([{ state: "draft" }, { id: "pol_b", state: "retired" }])).toMatchObject({
      verdict: "allow",
      evaluated: 0,
      shadow: [],
    });
  });
});

describe("What it comes to", () => {
  test("All policies are evaluated, and deny wins over an approval.", () => {
    const verdict = decide([
      approval("pol_b", {}),
      { id: "pol_a" },
      { id: "pol_c", effect: "tag", params: { tags: ["seen"] } },
      { id: "pol_d", when: "false" },
    ]);
    expect(verdict).toMatchObject({ verdict: "deny", approval: null, tags: ["seen"], evaluated: 4 });
    const said = { version: 1, reason_code: "not_wanted", message: "This is not wanted.", state: "active" };
    expect(verdict.reasons).toEqual([
      { policy: "pol_a", effect: "deny", ...said },
      { policy: "pol_b", effect: "require_approval", ...said },
      { policy: "pol_c", effect: "tag", ...said },
    ]);
  });

  test("Demands for approval merge to the strictest in each respect.", () => {
    const verdict = decide([
      approval("pol_a", { approvers: 3, reason: "Money." }),
      approval("pol_b", { requester_allowed: false }),
      approval("pol_c", {}),
    ]);
    expect(verdict).toMatchObject({
      verdict: "require_approval",
      approval: {
        approvers: 3,
        requester_allowed: false,
        reasons: ["Money.", "This is not wanted."],
      },
    });
  });

  test("By itself a policy asks for one approver, who may be the requester.", () => {
    expect(decide([approval("pol_a", {})]).approval).toMatchObject({ approvers: 1, requester_allowed: true });
  });

  test("More policies never make a verdict milder, and their order does not matter.", () => {
    const effects = fc.oneof(
      fc.constant<Partial<Policy>>({ effect: "deny" }),
      fc.constant<Partial<Policy>>({ effect: "deny", when: "false" }),
      fc
        .record({ approvers: fc.integer({ min: 1, max: 5 }), requester_allowed: fc.boolean() })
        .map((params): Partial<Policy> => ({ effect: "require_approval", params })),
      fc
        .subarray(["a", "b", "c"], { minLength: 1 })
        .map((tags): Partial<Policy> => ({ effect: "tag", params: { tags } })),
      fc.constant<Partial<Policy>>({ when: failing.when as string }),
    );
    const strength = { allow: 0, require_approval: 1, deny: 2 } as const;
    fc.assert(
      fc.property(fc.array(effects, { minLength: 1, maxLength: 8 }), fc.nat(), (list, seed) => {
        const policies = list.map((members, i) => ({ ...members, id: `pol_${i}` }));
        const whole = decide(policies);
        const turned = [
          ...policies.slice(seed % policies.length),
          ...policies.slice(0, seed % policies.length),
        ].reverse();
        expect(decide(turned)).toEqual(whole);
        const part = decide(policies.slice(0, -1));
        expect(strength[whole.verdict]).toBeGreaterThanOrEqual(strength[part.verdict]);
        for (const tag of part.tags) expect(whole.tags).toContain(tag);
        if (whole.approval && part.approval) {
          expect(whole.approval.approvers).toBeGreaterThanOrEqual(part.approval.approvers);
          expect(Number(whole.approval.requester_allowed)).toBeLessThanOrEqual(Number(part.approval.requester_allowed));
        }
      }),
    );
  });

  test("Tags unite, each once.", () => {
    const tag = (id: string, ...tags: string[]): Partial<Policy> => ({ id, effect: "tag", params: { tags } });
    expect(decide([tag("pol_a", "x", "y"), tag("pol_b", "y", "z")])).toMatchObject({
      verdict: "allow",
      tags: ["x", "y", "z"],
    });
  });
});

describe("Errors, shadows and exemptions", () => {
  test("An active policy that fails denies, names itself and nothing of the inside.", () => {
    const { verdict, reasons } = decide([{ ...failing, effect: "tag", params: { tags: ["x"] } }]);
    expect(verdict).toBe("deny");
    expect(reasons).toMatchObject([{ policy: "pol_bad", reason_code: "policy_error", state: "active" }]);
    expect(reasons[0]?.message).not.toMatch(/overload|dyn|lead_id|Error/);
  });

  test("A shadow policy is recorded and changes nothing, its failure included.", () => {
    const verdict = decide([
      { state: "shadow" },
      { ...failing, state: "shadow" },
      { id: "pol_t", state: "shadow", effect: "tag", params: { tags: ["x"] } },
    ]);
    expect(verdict).toMatchObject({ verdict: "allow", reasons: [], tags: [] });
    expect(verdict.shadow.map((r) => [r.policy, r.reason_code, r.state])).toEqual([
      ["pol_a", "not_wanted", "shadow"],
      ["pol_bad", "policy_error", "shadow"],
      ["pol_t", "not_wanted", "shadow"],
    ]);
  });

  test.each(allActions().filter(isNeverDenied))(
    "Nothing locks owners out of %s: what would have been done is recorded as exempt.",
    (action) => {
      const scope = { actions: [action] };
      const tag: Partial<Policy> = { id: "pol_t", effect: "tag", params: { tags: ["watched"] }, scope };
      const verdict = decide(
        [{ scope }, { ...approval("pol_b", { approvers: 5 }), scope }, { ...failing, scope }, tag],
        { action },
      );
      expect(verdict).toMatchObject({ verdict: "allow", approval: null, tags: ["watched"] });
      expect(verdict.exempt.map((r) => r.policy)).toEqual(["pol_a", "pol_b", "pol_bad"]);
    },
  );

  test("A value of the wrong type in the context is an error, not an answer.", () => {
    const policy: Partial<Policy> = { when: "risk.score > 100.0", scope: { actions: ["task.dispatch"] } };
    const risk = { level: "high", score: "8", impact: 1, likelihood: 1 } as unknown as NonNullable<
      PolicyContext["risk"]
    >;
    expect(decide([policy], { risk }).reasons).toMatchObject([{ reason_code: "policy_error" }]);
    expect(decide([policy], { risk: undefined }).reasons).toMatchObject([{ reason_code: "policy_error" }]);
  });

  test("Lists beyond 256 members make the policies that read them fail, and no others.", () => {
    const long = Array.from({ length: 257 }, () => "x");
    const reads: Partial<Policy> = { when: 'has(input.tags) && "y" in input.tags' };
    const other: Partial<Policy> = { id: "pol_o", when: 'has(input.lead_id) && input.lead_id == "y"' };
    const input = (tags: unknown) => ({ input: { lead_id: "x", tags } });
    expect(decide([reads, other], input(long)).reasons.map((r) => [r.policy, r.reason_code])).toEqual([
      ["pol_a", "policy_error"],
    ]);
    expect(decide([reads], input(long.slice(1))).verdict).toBe("allow");
    expect(decide([{ when: "has(input.tags) && input.tags.all(t, size(t) > 0)" }], input([long])).verdict).toBe("deny");
    const labels: Partial<Policy> = { when: '"y" in agent.labels', scope: { actions: ["task.dispatch"] } };
    expect(decide([labels], { agent: { name: "sales", labels: long } }).reasons).toMatchObject([
      { reason_code: "policy_error" },
    ]);
  });

  test("A stored policy that no longer compiles denies where it is active and is recorded where it is shadow.", () => {
    const broken = aPolicy({ when: "risk.gone == 1", scope: { agents: ["sales"] } });
    expect(evaluate(createPolicySet([loadPolicy(broken)], 0), aContext()).reasons).toMatchObject([
      { policy: "pol_a", reason_code: "policy_error" },
    ]);
    const shadow = evaluate(createPolicySet([loadPolicy({ ...broken, state: "shadow" })], 0), aContext());
    expect(shadow).toMatchObject({ verdict: "allow", shadow: [{ reason_code: "policy_error" }] });
    const shapeless = { ...broken, scope: null, params: null } as unknown as Policy;
    expect(evaluate(createPolicySet([loadPolicy(shapeless)], 0), aContext()).verdict).toBe("deny");
  });
});

test("The version of a set tells its policies, versions and states apart, and not their order.", () => {
  const version = (...policies: Partial<Policy>[]) => createPolicySet(policies.map(compiled), 0).version;
  const all = [
    version(),
    version({}),
    version({ version: 2 }),
    version({ state: "shadow" }),
    version({}, { id: "pol_b" }),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(version({}, { id: "pol_b" })).toBe(version({ id: "pol_b" }, {}));
  expect(version({ state: "draft" })).toBe(version());
});
