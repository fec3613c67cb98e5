import {
  type Basis,
  type Borrowed,
  bases,
  basisOf,
  type CrossFitted,
  crossFit,
  type FitTerms,
  fitTrust,
  isVolunteered,
  type JudgedRecord,
  lend,
  startTrustConfig,
  type TrustCase,
  type TrustFit,
} from "../../../kernel/trust/index.ts";
import { type JudgementRow, judgementJson, type SkillFingerprint } from "./evidence-store.ts";

/** Versions with equal fingerprints are one to their model, and so to trust. */
export interface FingerprintedSkill extends SkillFingerprint {
  readonly version_id: string;
  readonly number: number;
}

/** Versions with equal fingerprints, named after the first. */
export interface VersionGroup {
  readonly versionId: string;
  readonly number: number;
  readonly members: ReadonlySet<string>;
}

/** In the order of their first number. */
export function groupVersions(fingerprints: readonly FingerprintedSkill[]): VersionGroup[] {
  const sorted = [...fingerprints].sort((p, q) => p.number - q.number);
  return [...Map.groupBy(sorted, ({ model, behaviour }) => `${model} ${behaviour}`).values()].map((alike) => ({
    versionId: alike[0]!.version_id,
    number: alike[0]!.number,
    members: new Set(alike.map(({ version_id }) => version_id)),
  }));
}

/** With its reliability on labels that it was not fitted to. */
export interface GroupFit {
  readonly versionId: string;
  readonly fit: TrustFit;
  readonly reliability: CrossFitted;
}

/** π of a group: the share of its live tasks that were judged. */
type JudgedShare = (group: VersionGroup, rows: readonly JudgementRow[]) => number;

/** Oldest group first: each lends to the next. */
export function fitGroups(
  groups: readonly VersionGroup[],
  rows: readonly JudgementRow[],
  shareOf: JudgedShare,
): GroupFit[] {
  const earlier = new Map<Basis, TrustFit>();
  return groups.flatMap((group) => {
    const own = rows.filter(({ version_id }) => group.members.has(version_id));
    if (own.length === 0) return [];
    const share = shareOf(group, own);
    return [...byBasis(own)].map(([basis, records]): GroupFit => {
      const before = earlier.get(basis);
      const terms: FitTerms = { basis, judged_share: share, ...(before ? { borrowed: lent(before) } : {}) };
      const fit = fitTrust(records, terms, startTrustConfig);
      earlier.set(basis, fit);
      return { versionId: group.versionId, fit, reliability: crossFit(records, terms, startTrustConfig) };
    });
  });
}

/** A borrowing version's own cases tell how old the loan is. */
const lent = (fit: TrustFit): Borrowed => lend(fit, fit.as_of ?? 0, startTrustConfig);

/** A map without labels, from what an earlier version's lends. */
function fitOfNothing(basis: Basis, before: TrustFit | undefined): TrustFit {
  return fitTrust([], { basis, judged_share: 0, ...(before ? { borrowed: lent(before) } : {}) }, startTrustConfig);
}

/** Grouped by what their scores start from. A failed run has no probability; it counts in the largest group. */
function byBasis(rows: readonly JudgementRow[]): Map<Basis, JudgedRecord[]> {
  const records = rows.map((row) => ({ failed: row.source === "run", record: recordOf(row) }));
  const found = new Map<Basis, JudgedRecord[]>();
  const put = (basis: Basis, record: JudgedRecord) =>
    void (found.get(basis)?.push(record) ?? found.set(basis, [record]));
  for (const { failed, record } of records) if (!failed) put(basisOf(record.case), record);
  const unchosen = (basis: Basis): number => (found.get(basis) ?? []).filter((one) => !isVolunteered(one)).length;
  const all = (basis: Basis): number => found.get(basis)?.length ?? 0;
  const main = found.size === 0 ? "none" : [...bases].sort((p, q) => unchosen(q) - unchosen(p) || all(q) - all(p))[0]!;
  for (const { failed, record } of records) if (failed) put(main, record);
  return found;
}

function recordOf(row: JudgementRow): JudgedRecord {
  const { id, version_id, outcome, weight, origin, observed_at } = row;
  return {
    id: `${version_id} ${id}`,
    case: judgementJson(row, "signals"),
    outcome,
    weight,
    origin,
    at: observed_at.getTime(),
  };
}

/** The maps of one version's skill, and which of them scores a given case. */
export class SkillFits {
  readonly #fits: ReadonlyMap<Basis, TrustFit>;
  readonly #before: ReadonlyMap<Basis, TrustFit>;
  readonly #made = new Map<Basis, TrustFit>();

  constructor(fits: ReadonlyMap<Basis, TrustFit>, before: ReadonlyMap<Basis, TrustFit>) {
    this.#fits = fits;
    this.#before = before;
  }

  /** Chosen by where the case's probability comes from. */
  forCase(given: TrustCase): TrustFit {
    return this.#of(basisOf(given));
  }

  /** The map with most unchosen labels, among those that know what a case is like. */
  get main(): TrustFit {
    const known = [...this.#fits.values()].filter(
      ({ basis, typical }) => basis === "none" || typical.probability !== undefined,
    );
    const unchosen = ({ labels }: TrustFit): number => labels.evaluation + labels.random;
    known.sort(
      (p, q) =>
        unchosen(q) - unchosen(p) ||
        q.labels.volunteered - p.labels.volunteered ||
        bases.indexOf(p.basis) - bases.indexOf(q.basis),
    );
    return known[0] ?? this.#of("none");
  }

  get fitted(): readonly TrustFit[] {
    return [...this.#fits.values()];
  }

  #of(basis: Basis): TrustFit {
    let fit = this.#fits.get(basis) ?? this.#made.get(basis);
    if (!fit) {
      fit = fitOfNothing(basis, this.#before.get(basis));
      this.#made.set(basis, fit);
    }
    return fit;
  }
}
