import { useEffect, useRef, useState } from "react";
import { isDoable } from "../../api/install-setup.ts";
import { type Install, type NextStep, readInstall, readInstallNow } from "../../api/installs.ts";
import { asProblem } from "../../api/problem.ts";
import { useKept } from "../../api/queries.ts";
import { useRights } from "../../api/rights.ts";
import { lackText, needsOf } from "./install-words.ts";
import { carryOut, type StepWork } from "./install-work.ts";

/** The setup of an install: which step is under way, how those went that were done here, and why it stopped. */
export interface Setup {
  readonly busy: boolean;
  readonly work: Readonly<Record<string, StepWork>>;
  readonly stopped: string | null;
  /** Does one step. */
  readonly one: (step: NextStep, key: string) => void;
  /** Does all that are left, one after the other. */
  readonly all: () => void;
}

/** What names a step while others become done: its kind, and which of that kind it is. */
export function stepKeys(steps: readonly NextStep[]): string[] {
  const seen: Record<string, number> = {};
  return steps.map(({ step }) => {
    seen[step] = (seen[step] ?? 0) + 1;
    return `${step}-${seen[step]}`;
  });
}

/** The first step that is left, with its key; undefined: none. Of several examples to try, one is enough. */
export function nextOf(steps: readonly NextStep[]): { step: NextStep; key: string } | undefined {
  const keys = stepKeys(steps);
  const tried = steps.some(({ step, done }) => step === "try" && done);
  const at = steps.findIndex(({ step, done }) => !done && !(step === "try" && tried));
  return at === -1 ? undefined : { step: steps[at] as NextStep, key: keys[at] as string };
}

const touched = [
  ...(["/v1/agents", "/v1/agents/{agent}", "/v1/agents/{agent}/versions"] as const),
  ...(["/v1/evaluations/gates/{agent}", "/v1/governance/policies", "/v1/marketplace/installs"] as const),
];

/** Why a step cannot be done from here by this person; null: it can. */
export function hindrance(step: NextStep, may: (permission: string) => boolean): string | null {
  const needs = needsOf(step);
  if (!isDoable(step)) return step.operation === null ? null : `It is done by ${step.operation}, not from here.`;
  return may(needs) ? null : lackText(needs);
}

export function useSetup(install: string): Setup {
  const kept = useKept();
  const may = useRights();
  const [busy, setBusy] = useState(false);
  const [work, setWork] = useState<Readonly<Record<string, StepWork>>>({});
  const [stopped, setStopped] = useState<string | null>(null);
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const tellOf =
    (key: string) =>
    (now: StepWork): void =>
      setWork((before) => ({ ...before, [key]: now }));
  const again = async (): Promise<Install> => {
    const now = await readInstallNow(install);
    kept.put(readInstall(install), now);
    void kept.renew(...touched);
    return now;
  };
  const doIt = async (step: NextStep, key: string): Promise<boolean> => {
    const tell = tellOf(key);
    try {
      const end = await carryOut(step, tell);
      tell(end);
      return end.phase === "done";
    } catch (error) {
      const { title, detail } = asProblem(error);
      tell({ phase: "failed", text: `${title}. ${detail}`, progress: null });
      return false;
    }
  };
  const guarded = async (run: () => Promise<string | null>): Promise<void> => {
    setBusy(true);
    setStopped(null);
    try {
      setStopped(await run());
    } catch (error) {
      setStopped(asProblem(error).detail);
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    work,
    stopped,
    one: (step, key) =>
      void guarded(async () => {
        await doIt(step, key);
        await again();
        return null;
      }),
    all: () => void guarded(() => follow({ again, doIt, may, here: () => here.current })),
  };
}

interface Following {
  readonly again: () => Promise<Install>;
  readonly doIt: (step: NextStep, key: string) => Promise<boolean>;
  readonly may: (permission: string) => boolean;
  /** Whether the page is still shown. */
  readonly here: () => boolean;
}

/** Follows the steps until none is left; returns why it stopped before that. */
async function follow({ again, doIt, may, here }: Following): Promise<string | null> {
  let last = "";
  while (here()) {
    const next = nextOf((await again()).next_steps);
    if (next === undefined) return null;
    const { step, key } = next;
    const why = hindrance(step, may);
    if (why !== null) return `Stopped before “${step.title}”: ${why}`;
    if (step.operation === null) return `Stopped: ${step.title}.`;
    if (key === last) return `Stopped: “${step.title}” was carried out and is still open. See its result below.`;
    if (!(await doIt(step, key))) {
      await again();
      return `Stopped at “${step.title}”.`;
    }
    last = key;
  }
  return null;
}
