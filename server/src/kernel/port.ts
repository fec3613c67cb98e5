/** Functions that a slice calls and that a slice above it has. Calling the port returns them. */
export interface Port<T> {
  (): T;
  join(functions: T): void;
}

/**
 * Declares what a slice needs of slices that may call it, so that no two slices import each other. `wiring/join-slices.ts` joins every port before the first
 * call. The functions hold no state of their own: one joining serves all services of a process.
 */
export function definePort<T>(name: string): Port<T> {
  let joined: T | undefined;
  const port = (): T => {
    if (joined === undefined) throw new Error(`The port "${name}" is not joined: see wiring/join-slices.ts.`);
    return joined;
  };
  return Object.assign(port, {
    join: (functions: T): void => {
      joined = functions;
    },
  });
}
