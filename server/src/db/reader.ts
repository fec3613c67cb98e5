import type pg from "pg";
import type { Loader, Reader } from "../kernel/db.ts";

interface Waiting {
  readonly key: string;
  readonly resolve: (row: object | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** One loader in one scope: at most one statement under way; who comes meanwhile shares the next one. */
interface Lane {
  running: boolean;
  waiting: Waiting[];
}

/** A handle over a pool whose sessions are read-only, with batched look-ups. */
export function createReader(pool: pg.Pool): Reader {
  const lanes = new Map<string, Lane>();
  const query = async <R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
    (await pool.query<R & pg.QueryResultRow>(text, values as unknown[])).rows;

  const drain = async (
    loader: Loader<object>,
    organization: string,
    environment: string,
    lane: Lane,
  ): Promise<void> => {
    lane.running = true;
    while (lane.waiting.length > 0) {
      const batch = lane.waiting;
      lane.waiting = [];
      await answer(pool, loader, organization, environment, batch);
    }
    lane.running = false;
  };

  const load: Reader["load"] = <R extends object>(
    loader: Loader<R>,
    scope: { organization: string; environment: string },
    key: string,
  ) =>
    new Promise<R | undefined>((resolve, reject) => {
      const name = `${loader.name} ${scope.organization} ${scope.environment}`;
      let lane = lanes.get(name);
      if (!lane) {
        lane = { running: false, waiting: [] };
        lanes.set(name, lane);
      }
      lane.waiting.push({ key, resolve: resolve as (row: object | undefined) => void, reject });
      if (!lane.running) void drain(loader, scope.organization, scope.environment, lane);
    });
  return { query, load };
}

async function answer(
  pool: pg.Pool,
  loader: Loader<object>,
  organization: string,
  environment: string,
  batch: Waiting[],
): Promise<void> {
  try {
    const keys = [...new Set(batch.map((one) => one.key))];
    const { rows } = await pool.query<{ loader_key: string }>({
      name: loader.name,
      text: loader.text,
      values: [organization, environment, keys],
    });
    const byKey = new Map(rows.map((row) => [row.loader_key, row]));
    for (const one of batch) one.resolve(byKey.get(one.key));
  } catch (error) {
    for (const one of batch) one.reject(error);
  }
}
