import { defineFacts } from "../../../kernel/facts.ts";
import type { Environment, Scope } from "../../../kernel/principal.ts";
import type { KillSwitch, KillSwitchKind, KillSwitchMode } from "./rules.ts";

interface Row {
  organization: string;
  environment: Environment;
  id: string;
  kind: KillSwitchKind;
  target: string | null;
  mode: KillSwitchMode;
  reason: string;
  engaged_at: Date;
}

const none: readonly KillSwitch[] = [];

export class KillSwitchDirectory {
  readonly #stops = new Map<string, readonly KillSwitch[]>();
  readonly #everywhere = new Map<string, readonly KillSwitch[]>();

  constructor(rows: readonly Row[]) {
    for (const row of rows) if (row.kind === "all") add(this.#everywhere, row.organization, stopOf(row));
    for (const row of rows) {
      if (row.kind === "all") continue;
      const at = `${row.organization} ${row.environment}`;
      if (!this.#stops.has(at))
        for (const stop of this.#everywhere.get(row.organization) ?? none) add(this.#stops, at, stop);
      add(this.#stops, at, stopOf(row));
    }
  }

  /** Those that act in an environment, the oldest first within each kind of reach. */
  of({ organization, environment }: Scope): readonly KillSwitch[] {
    if (this.#stops.size === 0 && this.#everywhere.size === 0) return none;
    return this.#stops.get(`${organization} ${environment}`) ?? this.#everywhere.get(organization) ?? none;
  }
}

function add(map: Map<string, readonly KillSwitch[]>, at: string, stop: KillSwitch): void {
  map.set(at, [...(map.get(at) ?? none), stop]);
}

function stopOf({ id, kind, target, mode, reason, engaged_at }: Row): KillSwitch {
  return { id, kind, target, mode, reason, engagedAt: engaged_at.getTime() };
}

/** Kill switches in force; touched by whatever engages, loosens or releases one. */
export const killSwitchFacts = defineFacts<KillSwitchDirectory>({
  topic: "kill_switches",
  async load(db) {
    return new KillSwitchDirectory(
      await db.query<Row>(
        "select organization, environment, id, kind, target, mode, reason, engaged_at from kill_switches where released_at is null order by organization, environment, id",
      ),
    );
  },
});
