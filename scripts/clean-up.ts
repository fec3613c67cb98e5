/** What a command has started and made, and undoes at its end or where a signal ends it: the last first. */
export interface CleanUp {
  readonly add: (clean: () => Promise<unknown>) => void;
  end(): Promise<void>;
}

/** SIGINT and SIGTERM clean up and end the process with 130. */
export function createCleanUp(): CleanUp {
  const cleaners: (() => Promise<unknown>)[] = [];
  const end = async (): Promise<void> => {
    for (const clean of cleaners.splice(0).reverse()) await clean();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void end().finally(() => process.exit(130)));
  return { add: (clean) => void cleaners.push(clean), end };
}
