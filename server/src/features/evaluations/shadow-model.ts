import { isDeepStrictEqual } from "node:util";

// What a version in shadow did, beside what the live version did with the same input.

/** A call of a tool, as the model asked for it. */
export interface CallMade {
  readonly tool: string;
  readonly effect: "read" | "write";
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** How one side ended. */
export interface SideEnd {
  readonly status: "completed" | "failed" | "rejected" | "blocked";
  readonly output: Readonly<Record<string, unknown>> | null;
  /** The code of the failure. */
  readonly failure: string | null;
  /** In the order in which they were made. */
  readonly calls: readonly CallMade[];
}

export interface Comparison {
  /**
   * `write`: up to the first write, which the shadow only proposes, and no further: what would have come after it nobody knows. `end`: neither side writes, so that
   * status and output are compared.
   */
  readonly up_to: "write" | "end";
  readonly same: boolean;
  /** Where they differ, as JSON pointers into what was compared. */
  readonly differences: readonly Difference[];
}

export interface Difference {
  /** `/status`, `/failure`, `/output/<field>`, `/write/tool` or `/write/arguments/<name>`. */
  readonly pointer: string;
  readonly live: unknown;
  readonly shadow: unknown;
}

/** Differences that are told; more of them make a comparison no clearer. */
export const mostDifferences = 50;

const firstWrite = ({ calls }: SideEnd): CallMade | undefined => calls.find(({ effect }) => effect === "write");

/** Compares both sides up to the first write. Reads may be made in any order and number: they are told, not compared. */
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
