import { defineFacts } from "../../kernel/facts.ts";
import type { Scope } from "../../kernel/principal.ts";

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

const key = (organization: string, environment: string, versionId: string): string => `${organization} ${environment} ${versionId}`;

/** The verdicts of all gates, by organization, environment and version. */
export class GateDirectory {
  readonly #verdicts: ReadonlyMap<string, GateVerdict>;
  constructor(rows: readonly Row[]) {
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
}

/** Verdicts of evaluation gates; touched by whatever decides one. */
export const gateFacts = defineFacts<GateDirectory>({
  topic: "gates",
  async load(db) {
    return new GateDirectory(
      await db.query<Row>(
        "select organization, environment, version_id, verdict, reasons, run_id, decided_at, expires_at from gate_verdicts",
      ),
    );
  },
});
