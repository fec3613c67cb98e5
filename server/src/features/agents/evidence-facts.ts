import type { Reader } from "../../kernel/db.ts";
import { defineFacts } from "../../kernel/facts.ts";
import type { Basis, CrossFitted, TrustFit } from "../../kernel/trust/index.ts";
import { groupVersions, type PrintedSkill, SkillFits, type VersionGroup } from "./trust-fitting.ts";

interface Here {
  readonly organization: string;
  readonly environment: string;
}

interface PrintRow extends PrintedSkill {
  readonly organization: string;
  readonly agent: string;
  readonly skill: string;
}

interface FitRow extends Here {
  readonly agent: string;
  readonly skill: string;
  readonly version_id: string;
  readonly fit: TrustFit;
  readonly reliability: CrossFitted;
}

/** A group's fitted maps in one environment. */
interface Fitted {
  readonly group: VersionGroup;
  readonly fits: ReadonlyMap<Basis, TrustFit>;
}

/** The fitted maps that scores are computed from, by version, skill and environment. */
export class EvidenceFacts {
  /** By organization, version and skill. */
  readonly #prints: ReadonlyMap<string, PrintRow>;
  /** By organization, agent and skill: its groups of versions. */
  readonly #groups: ReadonlyMap<string, readonly VersionGroup[]>;
  /** By environment, organization, agent and skill. */
  readonly #fits: ReadonlyMap<string, readonly FitRow[]>;
  readonly #made = new Map<string, SkillFits>();

  constructor(prints: readonly PrintRow[], fits: readonly FitRow[]) {
    this.#prints = new Map(prints.map((print) => [`${print.organization} ${print.version_id} ${print.skill}`, print]));
    const families = Map.groupBy(prints, ({ organization, agent, skill }) => `${organization} ${agent} ${skill}`);
    this.#groups = new Map([...families].map(([key, family]) => [key, groupVersions(family)]));
    this.#fits = Map.groupBy(
      fits,
      ({ environment, organization, agent, skill }) => `${environment} ${organization} ${agent} ${skill}`,
    );
  }

  /** The maps of a version's skill. The same object until the facts are read anew, so that scorers can keep what they made of it. */
  of({ organization, environment }: Here, versionId: string, skill: string): SkillFits {
    const key = `${environment} ${organization} ${versionId} ${skill}`;
    let made = this.#made.get(key);
    if (!made) {
      const print = this.#prints.get(`${organization} ${versionId} ${skill}`);
      made = print ? this.#make(environment, print) : new SkillFits(new Map(), new Map());
      this.#made.set(key, made);
    }
    return made;
  }

  /** The first of the versions that are alike to the skill's model; the version itself where nothing is known of it yet. */
  firstOf({ organization }: Pick<Here, "organization">, versionId: string, skill: string): string {
    const print = this.#prints.get(`${organization} ${versionId} ${skill}`);
    return (print && this.#groupOf(print)?.versionId) ?? versionId;
  }

  /** How well the scores of an agent's skill held, over all its versions. */
  reliability({ organization, environment }: Here, agent: string, skill: string): readonly CrossFitted[] {
    return (this.#fits.get(`${environment} ${organization} ${agent} ${skill}`) ?? []).map(
      ({ reliability }) => reliability,
    );
  }

  #groupOf({ organization, agent, skill, version_id }: PrintRow): VersionGroup | undefined {
    return this.#groups.get(`${organization} ${agent} ${skill}`)?.find(({ members }) => members.has(version_id));
  }

  #make(environment: string, print: PrintRow): SkillFits {
    const { organization, agent, skill } = print;
    const rows = this.#fits.get(`${environment} ${organization} ${agent} ${skill}`) ?? [];
    const own = this.#groupOf(print);
    const fitted = (this.#groups.get(`${organization} ${agent} ${skill}`) ?? []).map((group): Fitted => {
      const fits = rows.filter(({ version_id }) => version_id === group.versionId);
      return { group, fits: new Map(fits.map(({ fit }) => [fit.basis, fit])) };
    });
    const before = new Map<Basis, TrustFit>();
    for (const { group, fits } of fitted)
      if (own && group.number < own.number) for (const [basis, fit] of fits) before.set(basis, fit);
    return new SkillFits(fitted.find(({ group }) => group === own)?.fits ?? new Map(), before);
  }
}

/** Read anew when a skill was fitted anew, and when versions get their prints. */
export const evidenceFacts = defineFacts<EvidenceFacts>({
  topic: "evidence",
  async load(db: Reader): Promise<EvidenceFacts> {
    const [prints, stored] = await Promise.all([
      db.query<PrintRow>("select organization, version_id, skill, agent, number, model, behaviour from skill_prints"),
      db.query<Omit<FitRow, "fit" | "reliability"> & { fit: string; reliability: string }>(
        "select organization, environment, agent, skill, version_id, fit, reliability from trust_fits where current",
      ),
    ]);
    const fits = stored.map(
      (row): FitRow => ({ ...row, fit: JSON.parse(row.fit), reliability: JSON.parse(row.reliability) }),
    );
    return new EvidenceFacts(prints, fits);
  },
});
