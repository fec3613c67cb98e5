import { describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { afterAttempt, type EffectOutcome } from "../../../kernel/effect.ts";
import { useApp } from "../../../testing/app.ts";
import { leaseOn } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { insertStep, updateStepEnd } from "./store.ts";

const app = useApp();
const process = useWorkerProcess(app);
const outcomes: readonly EffectOutcome[] = ["none", "unknown", "done", "refused"];

describe("the effect of a write whose step ends", () => {
  it.each(
    outcomes.flatMap((before) =>
      (
        [
          ["finished", "done"],
          ["failed", "refused"],
          ["unknown", "unknown"],
        ] as const
      ).map(([state, attempted]) => [before, state, attempted] as const),
    ),
  )("moves from %j, where the step is %j, as an attempt that came to %j does", async (before, state, attempted) => {
    const { task_id: task } = await app.dispatch({ require_approval: false });
    const lease = leaseOn(app, task);
    await process.port.start(lease);
    const effect = `key of ${task}`;
    const { organization } = app.scope;
    await app.pool.query(
      `insert into effects (organization, environment, key, origin, action, tool, outcome, before, task_id, step_id)
       values ($1, 'development', $2, $3, 'action', 'send_mail', 'unknown', $4, $3, $5)`,
      [organization, effect, task, before, `stp_${task}`],
    );
    const step = { id: `stp_${task.slice(4)}`, number: 1, kind: "tool", name: "send_mail", input: {}, effect } as const;
    const db = createReader(app.pool);
    await insertStep(db, lease, step);
    await updateStepEnd(db, lease, step.id, { state });
    const { rows } = await app.pool.query("select outcome from effects where key = $1", [effect]);
    expect(rows).toEqual([{ outcome: afterAttempt(before, attempted) }]);
  });
});
