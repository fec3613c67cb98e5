import { describe, expect, it } from "vitest";
import { refuse } from "../kernel/errors.ts";
import { agentPaused, budgetExhausted, conflict, killSwitchEngaged } from "../kernel/problems.ts";
import type { Call } from "./call.ts";
import { compiled } from "./compliance/fixtures.ts";
import { insideCall } from "./inside.ts";
import { stagePort } from "./ports.ts";
import { caller, createTestMachine, madeOperations, type TestMachine, testScope } from "./testing.ts";

type Kind = "grouped" | "own" | "read";
type Made = Parameters<typeof madeOperations>[0];

async function run(
  kind: Kind,
  arrange: (test: TestMachine) => void = () => undefined,
  made: Made = {},
  call: Partial<Call> = {},
) {
  const test = createTestMachine();
  arrange(test);
  const operations = madeOperations(made);
  const { answer } = await caller(test, Object.values(operations)).call(operations[kind], call);
  const body = answer.body === "" ? {} : (JSON.parse(answer.body) as Record<string, unknown>);
  return { test, status: answer.status, code: body.code, body, headers: answer.headers, ends: test.ends };
}

const exhausted = () => refuse(budgetExhausted, "No tasks are left.", { stage: "compliance" });
const broken = () => Promise.reject(new Error("the connection broke"));
const wrongState = {
  work: () => {
    throw refuse(conflict, "It has ended.");
  },
};
const fault = {
  work: () => {
    throw new Error("a fault");
  },
};
const denied = (test: TestMachine): void => {
  test.policies = [compiled()];
};
const held = (test: TestMachine): void => {
  test.hold = {
    source: "ksw_1",
    type: killSwitchEngaged,
    detail: "Stopped.",
    members: { kill_switch: { kill_switch_id: "ksw_1" } },
  };
};

it("answers 503 where others hold what it would change, and reports no fault", async () => {
  const timedOut = Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
  const { status, code, headers } = await run("own", undefined, { work: () => Promise.reject(timedOut) });
  expect([status, code, headers["Retry-After"]]).toEqual([503, "overloaded", "5"]);
});

describe("a reservation", () => {
  it.each<[Kind, string, string, number, string[], (test: TestMachine) => void, Made?, Partial<Call>?]>([
    ["grouped", "settles", "it is written", 202, ["settle"], () => undefined],
    ["own", "settles", "it is committed", 200, ["settle"], () => undefined],
    ["read", "settles", "it is recorded", 200, ["settle"], () => undefined],
    [
      "own",
      "settles with what was used",
      "the handler said so",
      200,
      ['settle {"usd":0.5}'],
      () => undefined,
      { work: (ctx) => void ctx.spent?.({ usd: 0.5 }) },
    ],
    ["grouped", "is released", "it is a dry run", 200, ["release"], () => undefined, {}, { query: "dry_run=true" }],
    ["own", "is released", "it is a dry run", 200, ["release"], () => undefined, {}, { query: "dry_run=true" }],
    ["grouped", "is released", "the handler refuses", 409, ["release"], () => undefined, wrongState],
    ["own", "is released", "the handler refuses", 409, ["release"], () => undefined, wrongState],
    ["read", "is released", "the handler refuses", 409, ["release"], () => undefined, wrongState],
    ["own", "is released", "the handler fails", 500, ["release"], () => undefined, fault],
    [
      "grouped",
      "settles",
      "nobody knows whether it was written",
      503,
      ["settle"],
      (test) => {
        test.append = broken;
      },
    ],
    [
      "own",
      "settles",
      "nobody knows whether it was committed",
      503,
      ["settle"],
      (test) => {
        test.commit = broken;
      },
    ],
    [
      "own",
      "is released",
      "a constraint refuses the commit",
      409,
      ["release"],
      (test) => {
        test.commit = () => Promise.reject(refuse(conflict, "It has ended."));
      },
    ],
    ["own", "is not made", "a policy denies it", 403, [], denied],
    ["own", "is not made", "a stop stands against it", 409, [], held],
    [
      "grouped",
      "is awaited and settles",
      "memory does not suffice",
      202,
      ["settle"],
      (test) => {
        test.reserve = "later";
      },
    ],
    [
      "own",
      "is awaited and settles",
      "memory does not suffice",
      200,
      ["settle"],
      (test) => {
        test.reserve = "later";
      },
    ],
    [
      "grouped",
      "is refused at once",
      "nothing is left",
      403,
      [],
      (test) => {
        test.reserve = () => {
          throw exhausted();
        };
      },
    ],
    [
      "read",
      "is refused after a wait",
      "nothing is left",
      403,
      [],
      (test) => {
        test.reserve = () => Promise.reject(exhausted());
      },
    ],
    [
      "own",
      "is none",
      "no budget covers it",
      200,
      [],
      (test) => {
        test.reserve = () => null;
      },
    ],
  ])("of a call (%s) %s where %s", async (kind, _end, _where, status, ends, arrange, made, call) => {
    expect(await run(kind, arrange, made, call)).toMatchObject({ status, ends });
  });

  it("is released where another call holds the idempotency key, and that one's answer is given", async () => {
    const replay = async () => ({ bodyDigest: "-", output: { ok: true } });
    const lost = await run(
      "grouped",
      (test) => {
        test.append = async (rows) => (test.written.push(rows) === 1 ? "lost" : "written");
      },
      { replay },
      { idempotencyKey: "k" },
    );
    expect(lost).toMatchObject({ status: 202, ends: ["release"] });
    expect(lost.headers["Idempotent-Replayed"]).toBe("true");
  });

  it("that is refused gives way to the answer of an earlier call with the same key", async () => {
    const replay = async () => ({ bodyDigest: "-", output: { ok: true } });
    const again = await run(
      "grouped",
      (test) => {
        test.reserve = () => {
          throw exhausted();
        };
      },
      { replay },
      { idempotencyKey: "k" },
    );
    expect(again).toMatchObject({ status: 202, ends: [] });
  });

  it("is asked for with who is charged, and how much", async () => {
    const { test } = await run("own");
    expect(test.spendings).toEqual([{ agent: "sales", keyId: null, principal: "mbr_1", demand: { tasks: 1 } }]);
  });

  it("says in a refused call's problem when to try again, if the budget knows", async () => {
    const later = refuse(budgetExhausted, "No tasks are left.", {
      stage: "compliance",
      headers: { "Retry-After": "60" },
    });
    const { headers, body } = await run("own", (test) => {
      test.reserve = () => {
        throw later;
      };
    });
    expect([headers["Retry-After"], body.retryable, body.stage]).toEqual(["60", true, "compliance"]);
  });
});

describe("a stop", () => {
  it("refuses an action of agents before policies are asked, with all that it says", async () => {
    const { status, body, test } = await run("own", (machine) => {
      held(machine);
      denied(machine);
    });
    expect([status, body.code, body.stage, body.kill_switch]).toEqual([
      409,
      "kill_switch_engaged",
      "compliance",
      { kill_switch_id: "ksw_1" },
    ]);
    expect(test.drafts[0]?.stages[2]).toMatchObject({ verdict: "deny", reasons: ["kill_switch_engaged"] });
  });

  it("is asked about agent, version, skill, tool and model", async () => {
    const asked: unknown[] = [];
    await run("own", (test) => {
      test.machine.port(stagePort).hold = (...about) => {
        asked.push(about.slice(1));
        return null;
      };
    });
    expect(asked).toEqual([
      ["task.dispatch", { agent: "sales", versionId: "ver_01jd8x0000000000000000000b", skill: "qualify_lead" }],
    ]);
  });

  it("stands against nothing but what agents do", async () => {
    expect((await run("own", held, { action: "task.change" })).status).toBe(200);
  });

  it("of a paused agent is told as such", async () => {
    const pause = { source: "pause", type: agentPaused, detail: "Paused.", members: { pause: { mode: "drain" } } };
    const { status, code, body } = await run("grouped", (test) => {
      test.hold = pause;
    });
    expect([status, code, body.pause]).toEqual([409, "agent_paused", { mode: "drain" }]);
  });
});

describe("a note of the handler", () => {
  it("stands among the reasons of compliance in the record of this call, and of no other", async () => {
    const { test } = await run("own", () => undefined, { work: (ctx) => void ctx.note?.("replayed over 12 calls") });
    expect(test.drafts[0]?.stages[2]?.reasons).toEqual(["no policy applies to this action", "replayed over 12 calls"]);
    expect((await run("own")).test.drafts[0]?.stages[2]?.reasons).toEqual(["no policy applies to this action"]);
  });
});

describe("what a policy knows of money", () => {
  it("is what budgets say, and stands in the context of the record", async () => {
    const { status, test } = await run("own", (machine) => {
      machine.spend = { agent_day_usd: 12 };
      machine.policies = [compiled({ when: "has(spend.agent_day_usd) && spend.agent_day_usd > 10.0" })];
    });
    expect(status).toBe(403);
    expect(JSON.parse(test.drafts[0]?.context as string)).toMatchObject({ spend: { agent_day_usd: 12 } });
  });
});

describe("a call inside that goes the short way", () => {
  const inside = async (made: Made, arrange: (test: TestMachine) => void = () => undefined) => {
    const test = createTestMachine();
    arrange(test);
    let handled = 0;
    const operations = madeOperations({
      ...made,
      work: (ctx, body) => {
        handled++;
        return made?.work?.(ctx, body);
      },
    });
    const { pipeline } = caller(test, Object.values(operations));
    const call = insideCall(test.machine.newId("req"), operations.inside, "test", testScope, {}, {});
    const { answer } = await pipeline.run(operations.inside, call);
    return { test, status: answer.status, handled, ends: test.ends, written: test.written.length };
  };
  const lost = (test: TestMachine): void => {
    test.append = async ({ guard }) => (guard ? "lost" : "written");
  };
  const guard = { name: "test", columns: [], hold: () => "" };
  const guarded: Made = {
    together: (ctx) => {
      ctx.guard(guard, {});
      return { ok: true };
    },
  };

  it("is written with its guard, and not handled besides", async () => {
    const { test, ...told } = await inside(guarded);
    expect(told).toEqual({ status: 200, handled: 0, ends: ["settle"], written: 1 });
    expect(test.written[0]).toMatchObject({ guard: { guard }, record: { id: expect.stringMatching(/^aud_/) } });
  });

  it("is handled in a transaction of its own where that way does not suffice", async () => {
    expect(await inside({ together: () => undefined })).toMatchObject({
      status: 200,
      handled: 1,
      ends: ["settle"],
      written: 1,
    });
  });

  it("is handled in a transaction of its own where its guard does not hold, and reserves once", async () => {
    const { test, ...told } = await inside(guarded, lost);
    expect(told).toEqual({ status: 200, handled: 1, ends: ["settle"], written: 1 });
    expect(test.spendings).toHaveLength(1);
  });

  it("leaves held what it asked to keep, but not where it was lost and the handler did not ask", async () => {
    const keeping: Made = {
      together: (ctx) => {
        ctx.guard(guard, {});
        return { ok: ctx.keepCharge() !== null };
      },
    };
    expect(await inside(keeping)).toMatchObject({ status: 200, ends: [] });
    expect(await inside(keeping, lost)).toMatchObject({ status: 200, ends: ["settle"] });
  });

  it("is refused without being handled where that way refuses", async () => {
    expect(await inside({ together: wrongState.work })).toMatchObject({
      status: 409,
      handled: 0,
      ends: ["release"],
      written: 1,
    });
  });

  it("counts as used where nobody knows whether it was written", async () => {
    const unknown = await inside(guarded, (test) => {
      test.append = broken;
    });
    expect(unknown).toMatchObject({ status: 503, handled: 0, ends: ["settle"] });
  });

  it("counts as used also what it asked to keep, where nobody knows whether it was written", async () => {
    const keeping: Made = {
      together: (ctx) => {
        ctx.guard(guard, {});
        return { ok: ctx.keepCharge() !== null };
      },
    };
    const unknown = await inside(keeping, (test) => {
      test.append = broken;
    });
    expect(unknown).toMatchObject({ status: 503, ends: ["settle"] });
  });
});
