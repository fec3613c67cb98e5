import { describe, expect, it } from "vitest";
import { refuse } from "../kernel/errors.ts";
import { budgetExhausted, gateFailed, killSwitchEngaged, policyBlocked } from "../kernel/problems.ts";
import type { PolicyReason } from "./compliance/evaluate.ts";
import { compiled } from "./compliance/fixtures.ts";
import type { Reached } from "./stages.ts";
import { caller, createTestMachine, madeOperations, salesFacts, type TestMachine } from "./testing.ts";
import { newViolations, violationRows, warnedEvents } from "./violations.ts";

/** The violations and events that came of one call, as they were written beside its record. */
async function after(
  arrange: (test: TestMachine) => void,
  kind: "grouped" | "own" | "read" = "own",
  made: Parameters<typeof madeOperations>[0] = {},
  query = "",
) {
  const test = createTestMachine();
  arrange(test);
  const operations = madeOperations(made);
  const { answer } = await caller(test, Object.values(operations)).call(operations[kind], { query });
  const rows = test.written.flatMap(({ rows: all }) =>
    all.filter(({ table }) => table.table === "violations").map(({ row }) => row),
  );
  return { rows, status: answer.status, written: test.written, auditRef: answer.headers["Audit-Ref"], test };
}

const short = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ source, source_version, kind, reason_code }) => [source, source_version, kind, reason_code]);

describe("violations", () => {
  it("say of a blocked call who did what to which agent, by which policy, under the reference of its record", async () => {
    const { rows, auditRef, test } = await after((machine) => {
      machine.policies = [compiled({ id: "pol_b", version: 3 })];
    });
    expect(rows).toEqual([
      {
        ...{
          id: auditRef,
          source: "pol_b",
          source_version: 3,
          kind: "blocked",
          reason_code: "not_wanted",
          message: "This is not wanted.",
        },
        ...{
          operation: "tests.change",
          action: "task.dispatch",
          agent: "sales",
          task_id: "tsk_01jd8x0000000000000000000c",
        },
        principal: test.key.principal.id,
        key_id: test.key.principal.keyId,
      },
    ]);
    expect(Object.keys(rows[0] as object).sort()).toEqual(
      newViolations.columns
        .map(([name]) => name)
        .filter((name) => name !== "organization" && name !== "environment")
        .sort(),
    );
  });

  it.each(["grouped", "own", "read"] as const)(
    "of shadow policies are written with a call that goes through (%s)",
    async (kind) => {
      const { rows, status } = await after((test) => {
        test.policies = [
          compiled({ id: "pol_a", state: "shadow" }),
          compiled({ id: "pol_b", state: "shadow", effect: "require_approval", params: {} }),
          compiled({ id: "pol_c", state: "shadow", effect: "tag", params: { tags: ["x"] } }),
        ];
      }, kind);
      expect(status).toBeLessThan(300);
      expect(short(rows)).toEqual([
        ["pol_a", 1, "would_block", "not_wanted"],
        ["pol_b", 1, "would_wait", "not_wanted"],
      ]);
    },
  );

  it("of a shadow policy that cannot be evaluated say that it would block", async () => {
    const { rows } = await after((test) => {
      const throws = (): never => {
        throw new Error("it cannot be evaluated");
      };
      test.policies = [{ ...compiled({ state: "shadow", effect: "tag", params: { tags: ["x"] } }), program: throws }];
    });
    expect(short(rows)).toEqual([["pol_a", 1, "would_block", "policy_error"]]);
  });

  it("of two versions of one policy are one row: the gravest", async () => {
    const { rows } = await after((test) => {
      test.policies = [compiled({ version: 1 }), compiled({ version: 2, state: "shadow" })];
    });
    expect(short(rows)).toEqual([["pol_a", 1, "blocked", "not_wanted"]]);
  });

  it("name every policy that denied, and the stop where one stood against the call", async () => {
    const denied = await after((test) => {
      test.policies = [compiled({ id: "pol_a" }), compiled({ id: "pol_b" })];
    });
    expect(denied.rows.map(({ source }) => source)).toEqual(["pol_a", "pol_b"]);
    const stopped = await after((test) => {
      test.hold = { source: "ksw_1", type: killSwitchEngaged, detail: "Stopped.", members: {} };
    });
    expect(short(stopped.rows)).toEqual([["ksw_1", null, "blocked", "kill_switch_engaged"]]);
  });

  it("name the budget that is used up", async () => {
    const budget = { scope: "agent:sales", unit: "tasks", period: "day" };
    const { rows } = await after((test) => {
      test.reserve = () =>
        Promise.reject(refuse(budgetExhausted, "No tasks are left.", { stage: "compliance", members: { budget } }));
    });
    expect(short(rows)).toEqual([["budget:agent:sales/tasks/day", null, "blocked", "budget_exhausted"]]);
  });

  it("are none where a budget has room that calls under way hold", async () => {
    const budget = { scope: "agent:sales", unit: "usd", period: "day", used: 0, reserved: 0.42 };
    const { rows } = await after((test) => {
      test.reserve = () =>
        Promise.reject(
          refuse(budgetExhausted, "Calls under way hold it.", { stage: "compliance", members: { budget } }),
        );
    });
    expect(rows).toEqual([]);
  });

  it("are none on a dry run, and none where nothing was found", async () => {
    const shadow = (test: TestMachine): void => {
      test.policies = [compiled({ state: "shadow" })];
    };
    expect((await after(shadow, "own", {}, "dry_run=true")).rows).toEqual([]);
    expect((await after(shadow, "grouped", {}, "dry_run=true")).rows).toEqual([]);
    expect((await after(() => undefined)).rows).toEqual([]);
  });

  it("are none of a shadow policy over what nothing can deny", async () => {
    const { rows, status } = await after(
      (test) => {
        test.policies = [compiled({ state: "shadow", scope: { actions: ["kill_switch.engage"] } })];
      },
      "own",
      { action: "kill_switch.engage" },
    );
    expect([status, rows]).toEqual([200, []]);
  });
});

/** A call about to be written, with these findings. */
function reached(findings: readonly PolicyReason[], members: Partial<Reached> = {}): Reached {
  return {
    findings,
    facts: salesFacts,
    auditRef: "aud_1",
    principal: { id: "mbr_1", keyId: "key_1" },
    spec: { id: "tests.change", compliance: { action: "tool.call" } },
    ...members,
  } as unknown as Reached;
}
const reason = (members: Partial<PolicyReason>): PolicyReason => ({
  policy: "pol_n",
  version: 1,
  effect: "notify",
  reason_code: "odd",
  message: "Look at this.",
  state: "active",
  ...members,
});

describe("a policy that only wants a call noticed", () => {
  it("makes a warning and an event of each call that it covers", () => {
    const call = reached([reason({})]);
    expect(short(violationRows(call, null, null).map(({ row }) => row))).toEqual([["pol_n", 1, "warned", "odd"]]);
    const [event] = warnedEvents(call);
    expect(JSON.parse(event?.body as string)).toEqual({
      event: "policy.warned",
      operation: "tests.change",
      agent: "sales",
      principal: "mbr_1",
      policy: "pol_n",
      reason_code: "odd",
      message: "Look at this.",
      audit_ref: "aud_1",
    });
  });

  it("makes none in shadow, on a dry run and of a repetition", () => {
    const silent = [
      reached([reason({ state: "shadow" })]),
      reached([reason({})], { dryRun: true }),
      reached([reason({})], { replayed: true }),
    ];
    expect(silent.map((call) => [violationRows(call, null, null), warnedEvents(call)])).toEqual([
      [[], []],
      [[], []],
      [[], []],
    ]);
  });
});

describe("what refused a call", () => {
  it("is the gate, by that name", () => {
    const refusal = refuse(gateFailed, "The gate is closed.", { stage: "evaluation_gate" });
    expect(short(violationRows(reached([]), null, refusal).map(({ row }) => row))).toEqual([
      ["gate", null, "blocked", "evaluation_gate_failed"],
    ]);
  });

  it("is, where a handler finds a demand for approval unmet, the policies that made it", () => {
    const refusal = refuse(policyBlocked, "It needs approval.", { stage: "compliance" });
    const call = reached([], { asking: [reason({ policy: "pol_q", effect: "require_approval" })] });
    expect(short(violationRows(call, null, refusal).map(({ row }) => row))).toEqual([["pol_q", 1, "blocked", "odd"]]);
  });

  it("is no violation outside of gate and compliance", () => {
    const refusal = refuse(policyBlocked, "No.", { stage: "permissions" });
    expect(violationRows(reached([]), null, refusal)).toEqual([]);
  });
});
