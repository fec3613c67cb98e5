import { drawSecret } from "../db/webhook-secrets.ts";
import type { WriteContext } from "../kernel/context.ts";

/** Columns of a sealed secret that is replaced with an overlap, in which earlier ones stay valid. */
export interface SecretColumns {
  readonly secret: Buffer;
  readonly previous_secrets: Buffer[];
  /** Until when each of the earlier ones is valid. */
  readonly previous_untils: Date[];
}

/** Earlier secrets that are valid at a time, at most. */
export const mostEarlier = 5;
/** Seconds for which the secret that is replaced stays valid by default. */
const standardOverlap = 86_400;

const endsAfter = (untils: readonly Date[], now: number): Date[] =>
  untils.filter((until) => until.getTime() > now).sort((one, other) => one.getTime() - other.getTime());

/** Until when an earlier secret is valid; null: none is. */
export const overlapUntil = ({ previous_untils }: Pick<SecretColumns, "previous_untils">, now: number): Date | null =>
  endsAfter(previous_untils, now).at(-1) ?? null;

interface Replacing {
  /** What the secret is sealed for: another row does not open it. */
  readonly sealedAs: string;
  readonly key: Buffer;
  /** Seconds; 0 ends all earlier secrets at once. */
  readonly overlap: number | undefined;
  /** The refusal where as many earlier ones are valid as may be. */
  readonly refuse: (firstEnd: Date) => Error;
}

interface Replaced {
  /** As people see it, this once. */
  readonly secret: string;
  readonly columns: SecretColumns;
  /** What is kept of a column that says something of each earlier secret, of the one that was present before. */
  kept<V>(earlier: readonly V[], present: V): V[];
}

/** Replaces the secret of a locked row; nobody knows which of the earlier ones the other side has, so each stays valid until its overlap ends. */
export function replaceSecret(
  { scope, now }: WriteContext,
  row: SecretColumns,
  { sealedAs, key, overlap = standardOverlap, refuse }: Replacing,
): Replaced {
  const ends = endsAfter(row.previous_untils, now);
  if (overlap > 0 && ends.length >= mostEarlier) throw refuse(ends[0] as Date);
  const { secret, sealed } = drawSecret(key, scope, sealedAs);
  const untils = [...row.previous_untils, new Date(now + overlap * 1_000)];
  const until = (place: number): number => (untils[place] as Date).getTime();
  const places = [...untils.keys()]
    .filter((place) => overlap > 0 && until(place) > now)
    .sort((one, other) => until(one) - until(other));
  const kept = <V>(earlier: readonly V[], present: V): V[] => places.map((place) => [...earlier, present][place] as V);
  const columns = {
    secret: sealed,
    previous_secrets: kept(row.previous_secrets, row.secret),
    previous_untils: places.map((place) => untils[place] as Date),
  };
  return { secret, columns, kept };
}
