import { createHash } from "node:crypto";
import type { ApprovalParams, RedactParams, TagParams } from "../../features/governance/ports.ts";
import { demandOfRule } from "../../kernel/approval-rules.ts";
import {
  type ApprovalDemand,
  type RedactDemand,
  type RunLimits,
  stricter,
  strictest,
  united,
} from "../../kernel/verdict.ts";
import { isAgentAction, isNeverDenied } from "./actions.ts";
import type { CompiledPolicy } from "./compile.ts";
import { assertInputBounded, ContextView, type PolicyContext } from "./context.ts";
import { glob } from "./glob.ts";
import { POLICY_ERROR, type Policy, type PolicyEffect } from "./policy.ts";

/** What one policy says of one call. */
export interface PolicyReason {
  readonly policy: string;
  readonly version: number;
  readonly effect: PolicyEffect;
  readonly reason_code: string;
  readonly message: string;
  readonly state: "active" | "shadow";
}

/** What all policies together say of one call. */
export interface Verdict {
  readonly verdict: "allow" | "deny" | "require_approval";
  /** Of every active policy that applied, in order of policy id. */
  readonly reasons: readonly PolicyReason[];
  readonly tags: readonly string[];
  /** The strictest of all demands; there only where the verdict is `require_approval`. */
  readonly approval: ApprovalDemand | null;
  /** The least of all bounds; null where no policy sets one. */
  readonly limits: RunLimits | null;
  /** All kinds of data that any policy wants replaced; null where none does. */
  readonly redact: RedactDemand | null;
  /** Of the reasons those that only want the call noticed. */
  readonly notified: readonly PolicyReason[];
  /** What shadow policies would have said. */
  readonly shadow: readonly PolicyReason[];
  /** What active policies would have done to an action that none of them can deny. */
  readonly exempt: readonly PolicyReason[];
  /** How many policies were asked; 0: none applies to this action. */
  readonly evaluated: number;
  /** Digest of the policies of the set, the same in every process that holds the same ones. */
  readonly policy_version: string;
}

/** A policy of a set, with all that a hit needs made beforehand. */
interface Entry {
  readonly program: (view: ContextView) => unknown;
  readonly reads: ReadonlySet<string>;
  readonly inputReads: readonly (readonly string[])[];
  readonly from: number;
  readonly until: number;
  readonly active: boolean;
  readonly effect: PolicyEffect;
  readonly hit: PolicyReason;
  readonly error: PolicyReason;
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
  readonly limits: RunLimits | null;
  readonly redact: RedactDemand | null;
  readonly policy: Policy;
}

/** The policies that can concern one (environment, action), and, where some of them name agents, those of each agent. */
interface Bucket {
  readonly all: readonly Entry[];
  readonly byAgent: Map<string, readonly Entry[]> | null;
}

/** Most agents that one bucket remembers; beyond that it starts over, so that memory stays bounded. */
const MAX_AGENTS = 10_000;
const none: readonly never[] = Object.freeze([]);

/** Active and shadow policies, indexed by environment, action and agent. Immutable in meaning: a changed policy makes a new set. */
export class PolicySet {
  readonly version: string;
  readonly size: number;
  /** The verdict where nothing applied. */
  readonly quiet: Verdict;
  readonly #entries: readonly Entry[];
  readonly #buckets = new Map<string, Map<string, Bucket>>();

  constructor(entries: readonly Entry[], version: string) {
    this.#entries = entries;
    this.size = entries.length;
    this.version = version;
    this.quiet = quietVerdict(version, 0);
  }

  /** The entries whose scope covers the call. */
  applicable(context: PolicyContext): readonly Entry[] {
    const bucket =
      this.#buckets.get(context.environment)?.get(context.action) ?? this.#bucket(context.environment, context.action);
    if (!bucket.byAgent) return bucket.all;
    const agent = context.agent?.name ?? "";
    return bucket.byAgent.get(agent) ?? this.#ofAgent(bucket, bucket.byAgent, agent);
  }

  #bucket(environment: PolicyContext["environment"], action: string): Bucket {
    const all = this.#entries.filter(({ policy: { scope } }) => {
      const inAction = scope.actions ? scope.actions.includes(action) : isAgentAction(action);
      return inAction && (scope.environments?.includes(environment) ?? true);
    });
    const bucket: Bucket = { all, byAgent: all.some(({ policy }) => policy.scope.agents) ? new Map() : null };
    let actions = this.#buckets.get(environment);
    if (!actions) {
      actions = new Map();
      this.#buckets.set(environment, actions);
    }
    actions.set(action, bucket);
    return bucket;
  }

  #ofAgent(bucket: Bucket, byAgent: Map<string, readonly Entry[]>, agent: string): readonly Entry[] {
    const list = bucket.all.filter(
      ({ policy: { scope } }) => scope.agents?.some((pattern) => agent !== "" && glob(agent, pattern)) ?? true,
    );
    if (byAgent.size >= MAX_AGENTS) byAgent.clear();
    byAgent.set(agent, list);
    return list;
  }
}

/**
 * Indexes policies for deciding calls. Drafts, retired policies and those whose time was over at `now` (milliseconds since the epoch) are
 * left out; the time of every other one is checked against the call. Order of the input does not matter.
 */
export function createPolicySet(policies: readonly CompiledPolicy[], now: number): PolicySet {
  const live = policies
    .filter(({ policy }) => policy.state === "active" || policy.state === "shadow")
    .sort((a, b) =>
      a.policy.id < b.policy.id ? -1 : a.policy.id > b.policy.id ? 1 : a.policy.version - b.policy.version,
    );
  const digest = createHash("sha256");
  for (const { policy } of live) digest.update(`${policy.id}@${policy.version}:${policy.state}\n`);
  const entries = live
    .filter(({ policy }) => policy.effective_until === null || policy.effective_until > now)
    .map(toEntry);
  return new PolicySet(entries, digest.digest("hex").slice(0, 16));
}

function toEntry({ policy, program, reads, inputReads }: CompiledPolicy): Entry {
  const active = policy.state === "active";
  const hit: PolicyReason = Object.freeze({
    policy: policy.id,
    version: policy.version,
    effect: policy.effect,
    reason_code: policy.reason_code,
    message: policy.message,
    state: active ? "active" : "shadow",
  });
  return {
    policy,
    program,
    reads,
    inputReads,
    from: policy.effective_from ?? Number.NEGATIVE_INFINITY,
    until: policy.effective_until ?? Number.POSITIVE_INFINITY,
    active,
    effect: policy.effect,
    hit,
    error: Object.freeze({
      ...hit,
      reason_code: POLICY_ERROR,
      message: `Policy ${policy.id} could not be evaluated on this call, so it counts as a refusal. Its owner can check it against the call's input.`,
    }),
    approval: policy.effect === "require_approval" ? demandOf(policy) : null,
    tags: policy.effect === "tag" ? ((policy.params as Partial<TagParams>).tags ?? none) : none,
    limits: policy.effect === "limit" ? (policy.params as RunLimits) : null,
    redact: policy.effect === "redact" ? { kinds: (policy.params as RedactParams).kinds ?? "all" } : null,
  };
}

function demandOf({ id, version, name = id, rule, message, params: given }: Policy): ApprovalDemand {
  if (rule) return demandOfRule(rule);
  const params = given as ApprovalParams;
  return {
    approvers: params.approvers ?? 1,
    requester_allowed: params.requester_allowed ?? true,
    reasons: [params.reason ?? message],
    policies: [id],
    required_by: [{ kind: "policy", id, name: name === "" ? id : name, version, stages: [] }],
  };
}

function quietVerdict(version: string, evaluated: number): Verdict {
  return Object.freeze({
    verdict: "allow",
    reasons: none,
    tags: none,
    approval: null,
    limits: null,
    redact: null,
    notified: none,
    shadow: none,
    exempt: none,
    evaluated,
    policy_version: version,
  });
}

/**
 * Decides one call: asks every policy that applies, so that the verdict explains fully. Deny wins; demands for approval merge to the
 * strictest, and so do bounds of the run; tags and what is to be redacted unite. An active policy that fails denies with `policy_error`; a shadow policy is only recorded. Never throws.
 */
export function evaluate(set: PolicySet, context: PolicyContext): Verdict {
  const entries = set.applicable(context);
  if (entries.length === 0) return set.quiet;
  const now = context.now;
  const view = new ContextView(context);
  let found: Findings | null = null;
  let evaluated = 0;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as Entry;
    if (now < entry.from || now >= entry.until) continue;
    evaluated++;
    const answer = ask(entry, view);
    if (answer === false) continue;
    found ??= new Findings(isNeverDenied(context.action));
    found.add(entry, answer === true);
  }
  return found ? found.verdict(set.version, evaluated) : quietVerdict(set.version, evaluated);
}

/** True or false as the expression says; null where it failed. */
function ask(entry: Entry, view: ContextView): boolean | null {
  try {
    for (let i = 0; i < entry.inputReads.length; i++)
      assertInputBounded(view.input, entry.inputReads[i] as readonly string[]);
    const answer = entry.program(view);
    return typeof answer === "boolean" ? answer : null;
  } catch {
    return null;
  }
}

/** What hits add up to. */
class Findings {
  readonly #neverDenied: boolean;
  readonly #reasons: PolicyReason[] = [];
  readonly #shadow: PolicyReason[] = [];
  readonly #exempt: PolicyReason[] = [];
  readonly #tags = new Set<string>();
  readonly #notified: PolicyReason[] = [];
  #approval: ApprovalDemand | null = null;
  #limits: RunLimits | null = null;
  #redact: RedactDemand | null = null;
  #denied = false;

  constructor(neverDenied: boolean) {
    this.#neverDenied = neverDenied;
  }

  add(entry: Entry, hit: boolean): void {
    const reason = hit ? entry.hit : entry.error;
    if (!entry.active) {
      this.#shadow.push(reason);
      return;
    }
    const noted = hit && (entry.effect === "tag" || entry.effect === "notify");
    if (this.#neverDenied && !noted) {
      this.#exempt.push(reason);
      return;
    }
    this.#reasons.push(reason);
    if (hit) this.#apply(entry);
    else this.#denied = true;
  }

  #apply(entry: Entry): void {
    for (const tag of entry.tags) this.#tags.add(tag);
    if (entry.approval) this.#approval = stricter(this.#approval, entry.approval);
    if (entry.limits) this.#limits = strictest(this.#limits, entry.limits);
    if (entry.redact) this.#redact = united(this.#redact, entry.redact);
    if (entry.effect === "notify") this.#notified.push(entry.hit);
    if (entry.effect === "deny") this.#denied = true;
  }

  verdict(version: string, evaluated: number): Verdict {
    const verdict = this.#denied ? "deny" : this.#approval ? "require_approval" : "allow";
    return {
      verdict,
      reasons: this.#reasons,
      tags: [...this.#tags],
      approval: this.#denied ? null : this.#approval,
      limits: this.#limits,
      redact: this.#redact,
      notified: this.#notified,
      shadow: this.#shadow,
      exempt: this.#exempt,
      evaluated,
      policy_version: version,
    };
  }
}

/** What one policy made of one call. */
export interface Explanation {
  readonly policy: Policy;
  /** `error`: it could not be evaluated; `outside_window`: it does not hold at that time. */
  readonly outcome: "applies" | "does_not_apply" | "error" | "outside_window";
}

/** Every policy whose scope covers the call, in order of policy id, with what it made of it. */
export function explain(set: PolicySet, context: PolicyContext): Explanation[] {
  const view = new ContextView(context);
  return set.applicable(context).map((entry) => {
    if (context.now < entry.from || context.now >= entry.until)
      return { policy: entry.policy, outcome: "outside_window" };
    const answer = ask(entry, view);
    return { policy: entry.policy, outcome: answer === null ? "error" : answer ? "applies" : "does_not_apply" };
  });
}

/** The names of the context that policies whose scope covers the call read. */
export function readsOf(set: PolicySet, context: PolicyContext): ReadonlySet<string> {
  return new Set(set.applicable(context).flatMap(({ reads }) => [...reads]));
}
