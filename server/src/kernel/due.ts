import { type ProblemType, refusalOf } from "./errors.ts";
import { conflict, notFound } from "./problems.ts";

// What is due at a time of its own, such as the task of a schedule or the run of a trigger: each is a call, which may be refused.

/** How calls that were refused are tried again. */
export interface Retries {
  /** Refusals that time may lift; they are tried for a day. */
  readonly passing: ReadonlySet<string>;
  /** Delay before the next try of what was due at `at` (milliseconds). */
  pause(at: number, now: number): number;
}

const givenUpAfter = 86_400_000;

export interface Refused {
  readonly failure: { readonly code: string; readonly detail: string };
  /** When it is tried again; null: never. */
  readonly again: Date | null;
}

/** When a call that was refused is tried again. Errors of the service are tried until they end. Null: never. */
export function againAt(
  { code, infrastructure }: Pick<ProblemType, "code" | "infrastructure">,
  { passing, pause }: Retries,
  { at, now }: { readonly at: number; readonly now: number },
): Date | null {
  const isTried = infrastructure === true || (passing.has(code) && now < at + givenUpAfter);
  return isTried ? new Date(now + pause(at, now)) : null;
}

/** Makes the call for what was due at `at`. A refusal is noted by `note`, but for one that says that it is done or gone. */
export async function tryDue(
  call: () => Promise<unknown>,
  retries: Retries,
  times: { readonly at: number; readonly now: number },
  note: (refused: Refused) => Promise<unknown>,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const { code } = refusal.type;
    if (code === conflict.code || code === notFound.code) return;
    await note({ failure: { code, detail: refusal.details.detail }, again: againAt(refusal.type, retries, times) });
  }
}

/** Works on groups, some at a time, and within each on one after the other. */
export async function inLanes<T>(
  groups: readonly (readonly T[])[],
  atOnce: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = groups.values();
  const lane = async (): Promise<void> => {
    for (const group of left) for (const one of group) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
