/** Runs work, as much at the same time as there are lanes; the rest waits its turn. */
export interface Lanes {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createLanes(count: number): Lanes {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
