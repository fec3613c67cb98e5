import type { Tile, TileId, TileReader } from "@aos/proof";
import type { Pool, PoolClient } from "pg";
import type { LogScope } from "./scope.ts";

/** What a query can be sent to: a pool, or one connection inside a transaction. */
export type Queryable = Pick<Pool | PoolClient, "query">;

/** Reads tiles of a log, all that one proof needs in one statement. A tile that does not exist is empty. */
export function tileReader(db: Queryable, { organization, environment }: LogScope): TileReader {
  return async (tiles: readonly TileId[]) => {
    const { rows } = await db.query<{ data: Buffer | null }>({
      name: "audit_tiles_read",
      text: `select t.data
        from unnest($3::int[], $4::bigint[]) with ordinality as wanted(level, index, place)
        left join audit_tiles t on t.organization = $1 and t.environment = $2 and t.level = wanted.level and t.index = wanted.index
        order by wanted.place`,
      values: [organization, environment, tiles.map((t) => t.level), tiles.map((t) => t.index)],
    });
    return rows.map((row) => row.data ?? new Uint8Array(0));
  };
}

/** Writes the tiles that a batch changed; a partial one overwrites its narrower form. */
export async function writeTiles(db: Queryable, { organization, environment }: LogScope, tiles: readonly Tile[]): Promise<void> {
  await db.query({
    name: "audit_tiles_write",
    text: `insert into audit_tiles (organization, environment, level, index, data)
      select $1, $2, t.level, t.index, t.data from unnest($3::int[], $4::bigint[], $5::bytea[]) as t(level, index, data)
      on conflict (organization, environment, level, index) do update set data = excluded.data`,
    values: [organization, environment, tiles.map((t) => t.level), tiles.map((t) => t.index), tiles.map((t) => Buffer.from(t.data))],
  });
}
