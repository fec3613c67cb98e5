import { defineFacts } from "../../../kernel/facts.ts";
import type { Environment, Scope } from "../../../kernel/principal.ts";
import type { TeamSettings } from "./view.ts";

export interface KnownTeam extends TeamSettings {
  readonly name: string;
  readonly title: string;
  readonly members: readonly string[];
}

interface Row extends Pick<KnownTeam, "name" | "title" | "members"> {
  readonly organization: string;
  readonly environment: Environment;
  readonly settings: TeamSettings;
}

/** The teams of all environments. */
export class TeamDirectory {
  readonly #teams: ReadonlyMap<string, ReadonlyMap<string, KnownTeam>>;

  constructor(rows: readonly Row[]) {
    const byScope = Map.groupBy(rows, (row) => `${row.organization} ${row.environment}`);
    const known = ({ settings, name, title, members }: Row): [string, KnownTeam] => [
      name,
      { ...settings, name, title, members },
    ];
    this.#teams = new Map([...byScope].map(([scope, own]) => [scope, new Map(own.map(known))]));
  }

  find(scope: Scope, name: string): KnownTeam | undefined {
    return this.#in(scope)?.get(name);
  }

  /** By name. */
  all(scope: Scope): KnownTeam[] {
    return [...(this.#in(scope)?.values() ?? [])];
  }

  #in({ organization, environment }: Scope) {
    return this.#teams.get(`${organization} ${environment}`);
  }
}

export const teamFacts = defineFacts<TeamDirectory>({
  topic: "teams",
  async load(db) {
    return new TeamDirectory(
      await db.query<Row>(
        "select organization, environment, name, title, members, settings from teams order by organization, environment, name",
      ),
    );
  },
});
