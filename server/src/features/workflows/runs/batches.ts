import type { Scope } from "../../../kernel/principal.ts";

/** Loads values for single runs; those requested at the same moment are loaded together. */
export interface Batches<T> {
  of(scope: Scope, run: string): Promise<T>;
}

/** `find` returns values for at most `most` runs and does not throw. One call at a time per scope: requests that arrive meanwhile go into the next. */
export function createBatches<T>(
  most: number,
  find: (scope: Scope, runs: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Batches<T> {
  const waiting = new Map<string, Map<string, PromiseWithResolvers<T>>>();

  const drain = async (key: string, scope: Scope, queue: Map<string, PromiseWithResolvers<T>>): Promise<void> => {
    while (queue.size > 0) {
      const some = [...queue].slice(0, most);
      for (const [run] of some) queue.delete(run);
      const found = await find(
        scope,
        some.map(([run]) => run),
      );
      for (const [run, one] of some) one.resolve(found.get(run) as T);
    }
    waiting.delete(key);
  };

  return {
    of(scope, run) {
      const key = `${scope.organization} ${scope.environment}`;
      const open = waiting.get(key);
      const queue = open ?? new Map<string, PromiseWithResolvers<T>>();
      const one = queue.get(run) ?? Promise.withResolvers<T>();
      queue.set(run, one);
      if (!open) {
        waiting.set(key, queue);
        queueMicrotask(() => void drain(key, scope, queue));
      }
      return one.promise;
    },
  };
}
