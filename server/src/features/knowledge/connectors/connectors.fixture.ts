import { expect } from "vitest";
import type { TestApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import type { SyncReport } from "./schemas.ts";

/** A base with one connector of an app that works. */
export interface Attached {
  readonly base: string;
  readonly connector: string;
  /** Starts a sync and waits until it ends. */
  sync(body?: object): Promise<SyncReport>;
  /** Titles and texts of the base's documents, by external id, once all are indexed. */
  documents(): Promise<Record<string, string>>;
}

let bases = 0;

/** Creates a base and attaches a source. */
export async function attach(app: TestApp, connector: object): Promise<Attached> {
  const base = `shelf-${++bases}`;
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: base } })).status).toBe(201);
  const where = `/v1/knowledge/bases/${base}`;
  const made = await app.call("POST", `${where}/connectors`, { body: { name: "source", ...connector } });
  expect(made.status, made.text).toBe(201);
  return {
    base,
    connector: made.body.connector_id,
    async sync(body = {}) {
      const started = await app.call("POST", `${where}/sync`, { body });
      expect(started.status, started.text).toBe(202);
      const read = await app.call("GET", started.headers.get("location") as string, { headers: { prefer: "wait=60" } });
      return read.body;
    },
    async documents() {
      await eventually(async () => expect(await waiting(app, base)).toEqual([]));
      const { rows } = await app.pool.query(
        `select d.external_id, d.title, d.text, d.fields from documents d join knowledge_bases b on b.id = d.base and b.name = $1
         where b.environment = 'development' order by d.external_id`,
        [base],
      );
      return Object.fromEntries(
        rows.map(({ external_id, title, text, fields }) => [external_id, text ?? fields ?? title]),
      );
    },
  };
}

/** Documents of a base that wait to be indexed. */
export async function waiting(app: TestApp, base: string): Promise<string[]> {
  const { rows } = await app.pool.query(
    `select d.id from documents d join knowledge_bases b on b.id = d.base and b.name = $1
     where b.environment = 'development' and d.state in ('queued', 'parsing', 'indexing')`,
    [base],
  );
  return rows.map(({ id }) => id);
}

/** The counts of a sync. */
export const counts = ({ state, added, changed, removed, unchanged, failed }: SyncReport) => ({
  state,
  added,
  changed,
  removed,
  unchanged,
  failed,
});
