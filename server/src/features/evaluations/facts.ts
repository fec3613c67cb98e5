import { defineFacts } from "../../kernel/facts.ts";
import type { GateOverride } from "../../kernel/gate-table.ts";
import type { Scope } from "../../kernel/principal.ts";
import { type GateDefinition, overrideOf } from "./gate-rules.ts";

/** What the evaluation gate knows of a version. `version` names the evidence that was judged: the run, or the moment of the verdict. */
export interface GateVerdict {
  readonly verdict: "open" | "failed" | "inconclusive";
  readonly reasons: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly version: string;
}

interface Row {
  organization: string;
  environment: string;
  version_id: string;
  verdict: GateVerdict["verdict"];
  reasons: string[];
  run_id: string | null;
  decided_at: Date;
  expires_at: Date;
}

interface GateSettings {
  organization: string;
  environment: string;
  agent: string;
  definition: GateDefinition;
}

const key = (organization: string, environment: string, name: string): string =>
  `${organization} ${environment} ${name}`;

const nothing: GateOverride = {};

/** The verdicts of all gates, by organization, environment and version, and what gates say of their consequences, by agent. */
export class GateDirectory {
  readonly #verdicts: ReadonlyMap<string, GateVerdict>;
  readonly #overrides: ReadonlyMap<string, GateOverride>;
  constructor(rows: readonly Row[], gates: readonly GateSettings[]) {
    this.#overrides = new Map(
      gates.map((gate) => [key(gate.organization, gate.environment, gate.agent), overrideOf(gate.definition)]),
    );
    this.#verdicts = new Map(
      rows.map(({ organization, environment, version_id, verdict, reasons, run_id, decided_at, expires_at }) => [
        key(organization, environment, version_id),
        { verdict, reasons, expiresAt: expires_at.getTime(), version: run_id ?? decided_at.toISOString() },
      ]),
    );
  }

  /** The verdict on a version in an environment, out of date or not; undefined where there is none. */
  of(scope: Scope, versionId: string): GateVerdict | undefined {
    return this.#verdicts.get(key(scope.organization, scope.environment, versionId));
  }

  /** Whether the agent has a gate in the environment. */
  has(scope: Scope, agent: string): boolean {
    return this.#overrides.has(key(scope.organization, scope.environment, agent));
  }

  /** What the agent's gate says of its own about what follows from a state; nothing where it has none. */
  overrideOf(scope: Scope, agent: string): GateOverride {
    return this.#overrides.get(key(scope.organization, scope.environment, agent)) ?? nothing;
  }
}

/** Verdicts of evaluation gates and their settings; touched by whatever decides one or sets a gate. */
export const gateFacts = defineFacts<GateDirectory>({
  topic: "gates",
  async load(db) {
    const verdicts = await db.query<Row>(
      "select organization, environment, version_id, verdict, reasons, run_id, decided_at, expires_at from gate_verdicts",
    );
    return new GateDirectory(
      verdicts,
      await db.query<GateSettings>("select organization, environment, agent, definition from gates"),
    );
  },
});
