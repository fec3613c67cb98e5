import { createDeliveryWorker, type DeliveryWorkerParts } from "./delivery-worker.ts";
import { createTaskWorker, type TaskWorker, type TaskWorkerParts } from "./task-worker.ts";

/** All that a process of role `worker` does: runs tasks, looks after those that nobody looks after, and delivers events. */
export function createWorkers(parts: TaskWorkerParts & DeliveryWorkerParts): TaskWorker {
  const tasks = createTaskWorker(parts);
  const delivery = createDeliveryWorker(parts);
  return {
    async start() {
      await tasks.start();
      delivery.start();
    },
    stop: async () => void (await Promise.all([delivery.stop(), tasks.stop()])),
  };
}
