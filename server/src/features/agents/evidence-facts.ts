import type { Reader } from "../../kernel/db.ts";
import { defineFacts } from "../../kernel/facts.ts";
import {
  aggregateEvidence,
  type Calibration,
  type Channel,
  type ChannelSums,
  decayFactor,
  type Evidence,
  identityCalibration,
  noEvidence,
  startTrustConfig,
  type VersionChange,
  versionFactor,
} from "../../kernel/trust/index.ts";
import { changeBetween, type SkillPrint } from "./prints.ts";

interface Here {
  readonly organization: string;
  readonly environment: string;
}

/** A skill of a version, with its prints. */
interface PrintRow extends SkillPrint {
  organization: string;
  version_id: string;
  skill: string;
  agent: string;
  number: number;
}

/** Sums of one channel, decayed to the beginning of the hour in which they were read. */
interface SumRow extends ChannelSums {
  organization: string;
  environment: string;
  version_id: string;
  skill: string;
  channel: Channel;
}

interface CalibrationRow extends Calibration {
  organization: string;
  environment: string;
  agent: string;
}

/** What was won on one version, and how it counts for another one. */
interface Won {
  readonly print: PrintRow;
  readonly sums: SumRow[];
}

/** A version whose evidence counts for another one; `number` is null where nothing is known of it yet but its id. */
export interface Heritage {
  readonly versionId: string;
  readonly number: number | null;
  readonly change: VersionChange;
  readonly counts: number;
}

/** All that scores are computed from: sums by version and skill, what tells versions apart, and the maps that labels gave. */
export interface EvidenceRows {
  /** The beginning of the hour, in milliseconds since the epoch: to it the sums were decayed. */
  readonly asOf: number;
  readonly sums: readonly SumRow[];
  readonly prints: readonly PrintRow[];
  readonly calibrations: readonly CalibrationRow[];
}

const skillKey = ({ organization }: { organization: string }, versionId: string, skill: string): string =>
  `${organization} ${versionId} ${skill}`;

/** Evidence by version, skill and environment, and the calibration of each agent's scores there. */
export class EvidenceFacts {
  readonly #asOf: number;
  readonly #prints: ReadonlyMap<string, PrintRow>;
  readonly #own: ReadonlyMap<string, readonly SumRow[]>;
  /** By environment, agent and skill: the versions that have won evidence. */
  readonly #won: ReadonlyMap<string, readonly Won[]>;
  readonly #calibrations: ReadonlyMap<string, Calibration>;
  /** By version: its agent. */
  readonly #agents: ReadonlyMap<string, string>;
  /** What was asked for, made at the first time: scorers keep what they made of an object. */
  readonly #made = new Map<string, Evidence>();

  constructor({ asOf, sums, prints, calibrations }: EvidenceRows) {
    this.#asOf = asOf;
    this.#prints = new Map(prints.map((print) => [skillKey(print, print.version_id, print.skill), print]));
    this.#agents = new Map(prints.map(({ organization, version_id, agent }) => [`${organization} ${version_id}`, agent]));
    this.#own = grouped(sums, (row) => `${row.environment} ${skillKey(row, row.version_id, row.skill)}`);
    this.#won = grouped(this.#printedSums(), ({ at }) => at);
    this.#calibrations = new Map(
      calibrations.map(({ organization, environment, agent, a, b }) => [`${organization} ${environment} ${agent}`, { a, b }]),
    );
  }

  *#printedSums(): Generator<Won & { at: string }> {
    for (const sums of this.#own.values()) {
      const { organization, environment, version_id, skill } = sums[0] as SumRow;
      const print = this.#prints.get(skillKey({ organization }, version_id, skill));
      if (print) yield { at: `${organization} ${environment} ${print.agent} ${skill}`, print, sums: [...sums] };
    }
  }

  /**
   * The evidence about a version's skill: what was won on it, and what was won on earlier versions of its agent, at what that counts after all that
   * changed since. The same object until the facts are read anew.
   */
  of(scope: Here, versionId: string, skill: string): Evidence {
    const key = `${scope.environment} ${skillKey(scope, versionId, skill)}`;
    let made = this.#made.get(key);
    if (!made) {
      made = this.#make(scope, versionId, skill, this.#own.get(key) ?? []);
      this.#made.set(key, made);
    }
    return made;
  }

  /** The map of an agent's scores in an environment, found by one of its versions; the identity until labels showed a gain. */
  calibration(scope: Here, versionId: string): Calibration {
    const agent = this.#agents.get(`${scope.organization} ${versionId}`);
    return this.#calibrations.get(`${scope.organization} ${scope.environment} ${agent}`) ?? identityCalibration;
  }

  /** The version itself and the earlier ones of its agent that have the skill, newest first, with what an item won there counts for it. */
  heritage({ organization }: Here, versionId: string, skill: string): Heritage[] {
    const print = this.#prints.get(skillKey({ organization }, versionId, skill));
    if (!print) return [{ versionId, number: null, change: "none", counts: 1 }];
    const family = [...this.#prints.values()].filter(
      (other) =>
        other.organization === organization && other.agent === print.agent && other.skill === skill && other.number <= print.number,
    );
    return family
      .sort((a, b) => b.number - a.number)
      .map((other) => {
        const change = changeBetween(other, print);
        return { versionId: other.version_id, number: other.number, change, counts: versionFactor(change, startTrustConfig) };
      });
  }

  #make(scope: Here, versionId: string, skill: string, own: readonly SumRow[]): Evidence {
    const print = this.#prints.get(skillKey(scope, versionId, skill));
    const sums = mutable();
    add(sums, own, 1);
    if (print) {
      for (const won of this.#won.get(`${scope.organization} ${scope.environment} ${print.agent} ${skill}`) ?? []) {
        if (won.print.number < print.number) add(sums, won.sums, versionFactor(changeBetween(won.print, print), startTrustConfig));
      }
    }
    return { as_of: this.#asOf, sums };
  }
}

const mutable = (): Record<Channel, { S: number; F: number }> =>
  aggregateEvidence([], 0, startTrustConfig, noEvidence(0)).sums as Record<Channel, { S: number; F: number }>;

/** Sums of parts add up. What corrections took away leaves no less than nothing, however its fractions were rounded. */
function add(to: Record<Channel, { S: number; F: number }>, rows: readonly SumRow[], factor: number): void {
  for (const { channel, S, F } of rows) {
    to[channel].S += factor * Math.max(0, S);
    to[channel].F += factor * Math.max(0, F);
  }
}

function grouped<T>(rows: Iterable<T>, keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** A sum as it is stored, decayed to an hour of its own. */
interface StoredSum extends SumRow {
  as_of: Date;
}

async function loadRows(db: Reader): Promise<EvidenceRows> {
  const [stored, prints, calibrations, hours] = await Promise.all([
    db.query<StoredSum>(
      `select organization, environment, version_id, skill, channel, as_of, successes as "S", failures as "F"
       from trust_evidence_sums where as_of > now() - interval '1 year'`,
    ),
    db.query<PrintRow>("select organization, version_id, skill, agent, number, model, behaviour from skill_prints"),
    db.query<CalibrationRow>("select organization, environment, agent, a, b from trust_calibrations where adopted"),
    db.query<{ hour: Date }>("select date_trunc('hour', now(), 'UTC') as hour"),
  ]);
  const asOf = hours[0]?.hour.getTime() ?? 0;
  const sums = stored.map((row): SumRow => {
    const left = decayFactor(asOf - row.as_of.getTime(), startTrustConfig);
    return { ...row, S: row.S * left, F: row.F * left };
  });
  return { asOf, sums, prints, calibrations };
}

/**
 * What trust scores are computed from; touched by the sweeper when it has added new evidence to the sums, by new versions and by new calibrations.
 * Items count by the hour in which they were observed: an hour is 0.1 % of what they count.
 */
export const evidenceFacts = defineFacts<EvidenceFacts>({
  topic: "evidence",
  load: async (db) => new EvidenceFacts(await loadRows(db)),
});
