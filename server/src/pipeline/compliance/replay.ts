import { canWait } from "./actions.ts";
import type { PolicyContext } from "./context.ts";
import { evaluate, type PolicySet, readsOf, type Verdict } from "./evaluate.ts";
import { POLICY_ERROR } from "./policy.ts";

/** A call as it was recorded. */
export interface RecordedCall {
  readonly auditRef: string;
  readonly taskId: string | null;
  /** What policies saw of it; null where that cannot be put together any more. */
  readonly context: PolicyContext | null;
  /** Names of the context that hold something else than what policies saw: a call is left out where a policy that concerns it reads one. */
  readonly changed: readonly string[];
}

/** What policies make of a call in the end. */
export type Outcome = "deny" | "require_approval" | "allow";

/** How many calls would have come out otherwise, and how. */
export interface Changes {
  would_be_denied: number;
  would_wait: number;
  no_longer_denied: number;
  no_longer_wait: number;
  would_be_redacted: number;
  would_be_limited: number;
}

export interface Example {
  readonly audit_ref: string;
  readonly task_id: string | null;
  readonly agent: string | null;
  readonly before: Outcome;
  readonly after: Outcome;
}

/** What a replay found. All counts are of calls. */
export interface ReplayCounts extends Changes {
  /** Evaluated. */
  readonly calls: number;
  /** Left out, since what policies saw of them is no longer known. */
  readonly not_replayable: number;
  /** To which the candidate applies. */
  readonly matched: number;
  /** On which the candidate could not be evaluated; it would deny them. */
  readonly failed: number;
  readonly examples: readonly Example[];
  /** Those with most changes first. */
  readonly by_agent: readonly (Changes & { readonly agent: string; readonly calls: number })[];
}

const mostExamples = 20;
const mostAgents = 100;

const noChanges = (): Changes => ({
  would_be_denied: 0,
  would_wait: 0,
  no_longer_denied: 0,
  no_longer_wait: 0,
  would_be_redacted: 0,
  would_be_limited: 0,
});

/** Asks two sets of policies about recorded calls and counts where they differ. `candidate` is the id of the policy that `after` has and `before` may lack. */
export class Replay {
  readonly #before: PolicySet;
  readonly #after: PolicySet;
  readonly #candidate: string;
  readonly #changes = noChanges();
  readonly #agents = new Map<string, Changes & { agent: string; calls: number }>();
  readonly #examples: Example[] = [];
  #calls = 0;
  #notReplayable = 0;
  #matched = 0;
  #failed = 0;

  constructor(before: PolicySet, after: PolicySet, candidate: string) {
    this.#before = before;
    this.#after = after;
    this.#candidate = candidate;
  }

  add({ auditRef, taskId, context, changed }: RecordedCall): void {
    if (context === null || this.#reads(context, changed)) {
      this.#notReplayable++;
      return;
    }
    this.#calls++;
    const [before, after] = [evaluate(this.#before, context), evaluate(this.#after, context)];
    this.#countCandidate(after);
    const was = outcomeOf(before, context.action);
    const would = outcomeOf(after, context.action);
    const names = changesOf(was, would, before, after);
    const agent = context.agent?.name ?? null;
    const ofAgent = agent === null ? null : this.#agent(agent);
    if (ofAgent) ofAgent.calls++;
    for (const name of names) {
      this.#changes[name]++;
      if (ofAgent) ofAgent[name]++;
    }
    if (names.length === 0 || this.#examples.length >= mostExamples) return;
    this.#examples.push({ audit_ref: auditRef, task_id: taskId, agent, before: was, after: would });
  }

  counts(): ReplayCounts {
    const total = (one: Changes): number =>
      Object.keys(this.#changes).reduce((sum, name) => sum + one[name as keyof Changes], 0);
    const agents = [...this.#agents.values()].sort(
      (a, b) => total(b) - total(a) || b.calls - a.calls || (a.agent < b.agent ? -1 : 1),
    );
    return {
      calls: this.#calls,
      not_replayable: this.#notReplayable,
      matched: this.#matched,
      failed: this.#failed,
      ...this.#changes,
      examples: this.#examples,
      by_agent: agents.slice(0, mostAgents),
    };
  }

  #reads(context: PolicyContext, changed: readonly string[]): boolean {
    if (changed.length === 0) return false;
    const read = [readsOf(this.#before, context), readsOf(this.#after, context)];
    return changed.some((name) => read.some((names) => names.has(name) || (name === "input" && names.has("data"))));
  }

  #countCandidate({ reasons, exempt }: Verdict): void {
    const own = [...reasons, ...exempt].find(({ policy }) => policy === this.#candidate);
    if (!own) return;
    if (own.reason_code === POLICY_ERROR) this.#failed++;
    else this.#matched++;
  }

  #agent(agent: string): Changes & { agent: string; calls: number } {
    let known = this.#agents.get(agent);
    if (!known) {
      known = { agent, calls: 0, ...noChanges() };
      this.#agents.set(agent, known);
    }
    return known;
  }
}

/** What becomes of a call by its policies alone. An action that cannot wait for people is refused where they would be asked. */
export function outcomeOf({ verdict }: Verdict, action: string): Outcome {
  if (verdict === "allow") return "allow";
  return verdict === "deny" || !canWait(action) ? "deny" : "require_approval";
}

function changesOf(was: Outcome, would: Outcome, before: Verdict, after: Verdict): (keyof Changes)[] {
  const names: (keyof Changes)[] = [];
  if (was !== would) {
    if (would === "deny") names.push("would_be_denied");
    if (would === "require_approval") names.push("would_wait");
    if (was === "deny") names.push("no_longer_denied");
    if (was === "require_approval" && would === "allow") names.push("no_longer_wait");
  }
  if (would === "deny") return names;
  if (after.redact && JSON.stringify(after.redact) !== JSON.stringify(before.redact)) names.push("would_be_redacted");
  if (after.limits && JSON.stringify(after.limits) !== JSON.stringify(before.limits)) names.push("would_be_limited");
  return names;
}
