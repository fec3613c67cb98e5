import type { Tile, TileId, TileReader } from "@aos/proof";
import type { Pool, PoolClient } from "pg";
import type { LogScope } from "./scope.ts";

/** What a query can be sent to: a pool, or one connection inside a transaction. */
export type Queryable = Pick<Pool | PoolClient, "query">;

/** Reads tiles of a log, all that one proof needs in one statement. A tile that does not exist is empty. `epoch`: of which origin; the open one by default. */
export function tileReader(
  db: Queryable,
  { organization, environment }: LogScope,
  epoch: number | null = null,
): TileReader {
  return async (tiles: readonly TileId[]) => {
    const { rows } = await db.query<{ data: Buffer | null }>({
      name: "audit_tiles_read",
      text: `select t.data
        from unnest($3::int[], $4::bigint[]) with ordinality as wanted(level, index, place)
        left join audit_tiles t on t.organization = $1 and t.environment = $2 and t.level = wanted.level and t.index = wanted.index
          and t.epoch = coalesce($5::int, (select epoch from audit_logs where organization = $1 and environment = $2), 0)
        order by wanted.place`,
      values: [organization, environment, tiles.map((t) => t.level), tiles.map((t) => t.index), epoch],
    });
    return rows.map((row) => row.data ?? new Uint8Array(0));
  };
}

/** Writes the tiles that a batch changed; a partial one overwrites its narrower form. */
export async function writeTiles(
  db: Queryable,
  { organization, environment }: LogScope,
  epoch: number,
  tiles: readonly Tile[],
): Promise<void> {
  await db.query({
    name: "audit_tiles_write",
    text: `insert into audit_tiles (organization, environment, epoch, level, index, data)
      select $1, $2, $6::int, t.level, t.index, t.data from unnest($3::int[], $4::bigint[], $5::bytea[]) as t(level, index, data)
      on conflict (organization, environment, epoch, level, index) do update set data = excluded.data`,
    values: [
      organization,
      environment,
      tiles.map((t) => t.level),
      tiles.map((t) => t.index),
      tiles.map((t) => Buffer.from(t.data)),
      epoch,
    ],
  });
}
