import { Roller } from "../features/analytics/index.ts";
import { createDeliveryWorker, type DeliveryWorkerParts } from "./delivery-worker.ts";
import { createTaskWorker, type TaskWorker, type TaskWorkerParts } from "./task-worker.ts";

/** All that a process of role `worker` does: runs tasks, looks after those that nobody looks after, delivers events, and keeps rollups up to date. */
export function createWorkers(parts: TaskWorkerParts & DeliveryWorkerParts): TaskWorker {
  const tasks = createTaskWorker(parts);
  const delivery = createDeliveryWorker(parts);
  const { database, clock, report, telemetry } = parts;
  const roller = new Roller({ pool: database.machinePool, clock, report, meter: telemetry.meter });
  return {
    async start() {
      await tasks.start();
      delivery.start();
      roller.start();
    },
    stop: async () => void (await Promise.all([roller.stop(), delivery.stop(), tasks.stop()])),
  };
}
