/** Lines of one kind that are written within {@link window}; the rest is counted. */
const most = 20;
/** Milliseconds. */
const window = 10_000;
/** Kinds that are distinguished within a window; what is beyond is written. */
const mostKinds = 1_000;
/** Lines below this level (pino's number of `warn`) are never left out. */
const warn = 40;

/** A line as it is given to the log: an object or an error, a message, or both. */
type Given = readonly unknown[];
type Write = (given: Given) => void;

interface Kind {
  written: number;
  leftOut: number;
  readonly told: (count: number) => void;
}

/**
 * Leaves out warnings and errors of one kind that come too often: a fault that every look meets would fill a disk and hide all else. The first of a window are
 * written, and at its end how many more there were. A kind is a level, a message and an error, whatever ids and numbers stand in them.
 */
export function createFloodGate(): (given: Given, level: number, write: Write) => void {
  const kinds = new Map<string, Kind>();
  const endWindow = (): void => {
    const ended = [...kinds.values()];
    kinds.clear();
    for (const { leftOut, told } of ended) if (leftOut > 0) told(leftOut);
  };
  return (args, level, write) => {
    const name = level < warn ? null : kindOf(args, level);
    const kind = name === null ? undefined : (kinds.get(name) ?? begun(name));
    if (kind && kind.written >= most) {
      kind.leftOut += 1;
      return;
    }
    if (kind) kind.written += 1;
    write(args);

    function begun(of: string): Kind | undefined {
      if (kinds.size >= mostKinds) return undefined;
      if (kinds.size === 0) setTimeout(endWindow, window).unref();
      const told = (left_out: number): void => write([{ left_out }, `${messageOf(args)} (more such lines)`]);
      const kind: Kind = { written: 0, leftOut: 0, told };
      kinds.set(of, kind);
      return kind;
    }
  };
}

const messageOf = (args: Given): string => String(args.find((one: unknown) => typeof one === "string") ?? "");

function kindOf(args: Given, level: number): string {
  const [given] = args;
  const error = given instanceof Error ? given : (given as { readonly err?: unknown } | null)?.err;
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return `${level} ${messageOf(args)} ${String(code)} ${String(message).slice(0, 200)}`.replaceAll(/\w*\d\w*/g, "#");
}
