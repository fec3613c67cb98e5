import type { Reader } from "../../../kernel/db.ts";
import { defineFacts } from "../../../kernel/facts.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { Basis, CrossFitted, TrustFit } from "../../../kernel/trust/index.ts";
import { type FingerprintedSkill, groupVersions, SkillFits, type VersionGroup } from "./rules.ts";

interface Here {
  readonly organization: string;
  readonly environment: string;
}

interface FingerprintRow extends FingerprintedSkill {
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

const fitJson = storedJson<Pick<FitRow, "fit" | "reliability">>();

interface Fitted {
  readonly group: VersionGroup;
  readonly fits: ReadonlyMap<Basis, TrustFit>;
}

/** Fitted maps by version, skill and environment. */
export class EvidenceFacts {
  readonly #fingerprints: ReadonlyMap<string, FingerprintRow>;
  readonly #groups: ReadonlyMap<string, readonly VersionGroup[]>;
  readonly #fits: ReadonlyMap<string, readonly FitRow[]>;
  readonly #made = new Map<string, SkillFits>();

  constructor(fingerprints: readonly FingerprintRow[], fits: readonly FitRow[]) {
    this.#fingerprints = new Map(
      fingerprints.map((fingerprint) => [
        `${fingerprint.organization} ${fingerprint.version_id} ${fingerprint.skill}`,
        fingerprint,
      ]),
    );
    const families = Map.groupBy(fingerprints, ({ organization, agent, skill }) => `${organization} ${agent} ${skill}`);
    this.#groups = new Map([...families].map(([key, family]) => [key, groupVersions(family)]));
    this.#fits = Map.groupBy(
      fits,
      ({ environment, organization, agent, skill }) => `${environment} ${organization} ${agent} ${skill}`,
    );
  }

  /** The same object until the facts are reloaded, so scorers can cache by it. */
  of({ organization, environment }: Here, versionId: string, skill: string): SkillFits {
    const key = `${environment} ${organization} ${versionId} ${skill}`;
    let made = this.#made.get(key);
    if (!made) {
      const fingerprint = this.#fingerprints.get(`${organization} ${versionId} ${skill}`);
      made = fingerprint ? this.#make(environment, fingerprint) : new SkillFits(new Map(), new Map());
      this.#made.set(key, made);
    }
    return made;
  }

  /** The first version that is alike to the skill's model; the version itself if its fingerprint is unknown. */
  firstOf({ organization }: Pick<Here, "organization">, versionId: string, skill: string): string {
    const fingerprint = this.#fingerprints.get(`${organization} ${versionId} ${skill}`);
    return (fingerprint && this.#groupOf(fingerprint)?.versionId) ?? versionId;
  }

  /** Over all versions of the agent. */
  reliability({ organization, environment }: Here, agent: string, skill: string): readonly CrossFitted[] {
    return (this.#fits.get(`${environment} ${organization} ${agent} ${skill}`) ?? []).map(
      ({ reliability }) => reliability,
    );
  }

  #groupOf({ organization, agent, skill, version_id }: FingerprintRow): VersionGroup | undefined {
    return this.#groups.get(`${organization} ${agent} ${skill}`)?.find(({ members }) => members.has(version_id));
  }

  #make(environment: string, fingerprint: FingerprintRow): SkillFits {
    const { organization, agent, skill } = fingerprint;
    const rows = this.#fits.get(`${environment} ${organization} ${agent} ${skill}`) ?? [];
    const own = this.#groupOf(fingerprint);
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

/** Reloaded after a fit, and when versions get their fingerprints. */
export const evidenceFacts = defineFacts<EvidenceFacts>({
  topic: "evidence",
  async load(db: Reader): Promise<EvidenceFacts> {
    const [fingerprints, stored] = await Promise.all([
      db.query<FingerprintRow>(
        "select organization, version_id, skill, agent, number, model, behaviour from skill_prints",
      ),
      db.query<Omit<FitRow, "fit" | "reliability"> & { fit: string; reliability: string }>(
        "select organization, environment, agent, skill, version_id, fit, reliability from trust_fits where current",
      ),
    ]);
    const fits = stored.map(
      (row): FitRow => ({ ...row, fit: fitJson(row, "fit"), reliability: fitJson(row, "reliability") }),
    );
    return new EvidenceFacts(fingerprints, fits);
  },
});
