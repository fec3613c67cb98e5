import { wake } from "../../../../jobs/queue.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import type { Sweep } from "../../../../kernel/machines.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { tellSinkFailing } from "../operations/tell-sink-failing.ts";
import { sinkJob } from "../rules.ts";
import { listDueSinks, listFailingSinks } from "../store.ts";

const most = 100;

/** Wakes workers for sinks that have something to send, and reports those that fail for some minutes. */
export const sinkSweep: Sweep = {
  name: "audit.sinks",
  async run({ db, inside }) {
    const due = await listDueSinks(db, most);
    await wake(
      db,
      due.map(({ id, ...scope }) => sinkJob(scope, id)),
    );
    const faults: unknown[] = [];
    for (const { id, ...scope } of await listFailingSinks(db, most)) {
      await inside(tellSinkFailing, scope, { sink: id }).catch((error: unknown) => isOver(error) || faults.push(error));
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} failing sinks could not be reported`);
  },
};

const isOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.type.code === conflict.code || error.type.code === notFound.code);
