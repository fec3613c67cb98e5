import { isDeepStrictEqual } from "node:util";

// Compares what a version in shadow did with what the live version did with the same input.

/** As the model asked for it. */
export interface CallMade {
  readonly tool: string;
  readonly effect: "read" | "write";
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface SideEnd {
  readonly status: "completed" | "failed" | "rejected" | "blocked";
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly failure: string | null;
  readonly calls: readonly CallMade[];
}

export interface Comparison {
  /**
   * `write`: up to the first write, which the shadow only proposes, and no further: what would have come after it nobody knows. `end`: neither side writes, so that
   * status and output are compared.
   */
  readonly up_to: "write" | "end";
  readonly same: boolean;
  /** As JSON pointers. */
  readonly differences: readonly Difference[];
}

export interface Difference {
  /** `/status`, `/failure`, `/output/<field>`, `/write/tool` or `/write/arguments/<name>`. */
  readonly pointer: string;
  readonly live: unknown;
  readonly shadow: unknown;
}

/** Further differences would not make a comparison clearer. */
const mostDifferences = 50;

const firstWrite = ({ calls }: SideEnd): CallMade | undefined => calls.find(({ effect }) => effect === "write");

/** Reads may differ in order and number: they are not compared. */
export function compareSides(live: SideEnd, shadow: SideEnd): Comparison {
  const [here, there] = [firstWrite(live), firstWrite(shadow)];
  const differences =
    here === undefined && there === undefined ? endDifferences(live, shadow) : writeDifferences(here, there);
  return {
    up_to: here === undefined && there === undefined ? "end" : "write",
    same: differences.length === 0,
    differences: differences.slice(0, mostDifferences),
  };
}

function writeDifferences(live: CallMade | undefined, shadow: CallMade | undefined): Difference[] {
  if (live?.tool !== shadow?.tool) {
    return [{ pointer: "/write/tool", live: live?.tool ?? null, shadow: shadow?.tool ?? null }];
  }
  return fieldDifferences("/write/arguments", live?.arguments ?? {}, shadow?.arguments ?? {});
}

function endDifferences(live: SideEnd, shadow: SideEnd): Difference[] {
  if (live.status !== shadow.status) return [{ pointer: "/status", live: live.status, shadow: shadow.status }];
  if (live.status !== "completed") {
    return live.failure === shadow.failure ? [] : [{ pointer: "/failure", live: live.failure, shadow: shadow.failure }];
  }
  return fieldDifferences("/output", live.output ?? {}, shadow.output ?? {});
}

type Fields = Readonly<Record<string, unknown>>;

function fieldDifferences(under: string, live: Fields, shadow: Fields): Difference[] {
  const names = [...new Set([...Object.keys(live), ...Object.keys(shadow)])].sort();
  return names
    .filter((name) => !isDeepStrictEqual(live[name], shadow[name]))
    .map((name) => ({
      pointer: `${under}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      live: live[name] ?? null,
      shadow: shadow[name] ?? null,
    }));
}
