import { defineFacts } from "../../../kernel/facts.ts";
import type { GateOverride } from "../../../kernel/gate-table.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { type GateDefinition, overrideOf } from "./rules.ts";

/** `version` names the evidence: the run, or the time of the verdict. */
interface GateVerdict {
  readonly verdict: "open" | "failed" | "inconclusive";
  readonly reasons: readonly string[];
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

/** Verdicts by organization, environment and version; gates' overrides by agent. */
class GateDirectory {
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

  /** Expired or not. */
  of(scope: Scope, versionId: string): GateVerdict | undefined {
    return this.#verdicts.get(key(scope.organization, scope.environment, versionId));
  }

  has(scope: Scope, agent: string): boolean {
    return this.#overrides.has(key(scope.organization, scope.environment, agent));
  }

  /** The gate's own consequences; empty without a gate. */
  overrideOf(scope: Scope, agent: string): GateOverride {
    return this.#overrides.get(key(scope.organization, scope.environment, agent)) ?? nothing;
  }
}

/** Touched by whatever decides a verdict or sets a gate. */
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
