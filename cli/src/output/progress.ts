import type { Terminal } from "../terminal.ts";
import { columnsOf, fitted } from "./text.ts";

/** A line on standard error that says how far long work is. Nothing where standard error is no terminal. */
export interface Progress {
  say(text: string): void;
  done(): void;
}

/** Makes one; nothing is shown before something is said. */
export function progressOn({ stderr, showsProgress, env, columns }: Terminal): Progress {
  if (!showsProgress || env.TERM === "dumb") return { say: () => undefined, done: () => undefined };
  const room = columnsOf({ isTTY: true, env, columns }) ?? 80;
  let shown = false;
  return {
    say(text) {
      shown = true;
      stderr.write(`\r\u001b[K${fitted(text, room - 1)}`);
    },
    done() {
      if (shown) stderr.write("\r\u001b[K");
      shown = false;
    },
  };
}
