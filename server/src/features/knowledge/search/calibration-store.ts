import { ByteCache } from "../../../kernel/byte-cache.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { shiftOf } from "./calibration.ts";

/** Ratings that count: the latest; fewer than some say too little. */
const [most, fewest] = [500, 5] as const;
/** Milliseconds for which a shift is used before it is read again. */
const keptMs = 60_000;
const kept = new ByteCache<{ readonly since: number; readonly shift: number }>(1_000);

/** The shift of the log odds by what people in this environment said of replies. */
export async function readShift({ scope, db }: QueryContext): Promise<number> {
  const key = JSON.stringify([scope.organization, scope.environment]);
  const known = kept.get(key);
  if (known && performance.now() - known.since < keptMs) return known.shift;
  const rated = await db.query<{ probability: number; good: boolean }>(
    `select probability, rated as good from knowledge_questions
     where organization = $1 and environment = $2 and rated is not null and outcome = 'answered' and probability is not null
     order by at desc limit ${most}`,
    [scope.organization, scope.environment],
  );
  const shift = rated.length < fewest ? 0 : shiftOf(rated);
  kept.set(key, { since: performance.now(), shift }, 1);
  return shift;
}
