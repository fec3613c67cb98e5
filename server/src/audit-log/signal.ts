/** A flag that a loop sleeps on. */
export interface Signal {
  /** Ends a `wait`, now or the next one. */
  raise(): void;
  /** Forgets earlier raises; before looking for work, so that what is raised while looking counts. */
  lower(): void;
  /** Waits until raised or closed, at most so many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Waits so many milliseconds, raised or not; only `close` ends it early. */
  pause(ms: number): Promise<void>;
  /** Ends all waiting, for good. */
  close(): void;
}

/** A flag, lowered. */
export function createSignal(): Signal {
  let raised = false;
  let closed = false;
  let wakeUp: (() => void) | null = null;
  let closeUp: (() => void) | null = null;
  const sleep = (ms: number, onRaise: boolean): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        wakeUp = null;
        closeUp = null;
        resolve();
      }
      if (onRaise) wakeUp = done;
      closeUp = done;
    });
  return {
    raise() {
      raised = true;
      wakeUp?.();
    },
    lower() {
      raised = false;
    },
    wait: async (ms) => {
      if (!raised && !closed) await sleep(ms, true);
    },
    pause: async (ms) => {
      if (!closed && ms > 0) await sleep(ms, false);
    },
    close() {
      closed = true;
      closeUp?.();
    },
  };
}
