/** Calls of one batch that run at the same time: enough to share group commits, few enough to leave room for others. */
const itemsAtOnce = 16;

/** Batches of one process that run at the same time. Each may hold a connection for its own record while its items need others. */
const batchesAtOnce = 4;

/** Lets a bounded number of pieces of work run at a time; the others wait in order. */
export type Lane = <T>(work: () => Promise<T>) => Promise<T>;

/** A lane that lets `most` run at a time. */
export function createLane(most: number): Lane {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** The lanes of batches: one for all batches of a process, and one for the items of each. */
export interface BatchLanes {
  readonly batch: Lane;
  readonly items: () => Lane;
}

/** Makes the lanes of one process. */
export function createBatchLanes(): BatchLanes {
  return { batch: createLane(batchesAtOnce), items: () => createLane(itemsAtOnce) };
}
