import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

describe("listing agents", () => {
  const app = useApp();
  const names = async (query: string, options = {}): Promise<string[]> => {
    const { status, body } = await app.call("GET", `/v1/agents${query}`, options);
    expect(status).toBe(200);
    return body.data.map((one: { agent: string }) => one.agent);
  };

  beforeAll(async () => {
    const insert = (name: string, labels: string[], archived: boolean) =>
      app.pool.query(
        `insert into agents (organization, name, owner, labels, draft, created_at, archived_at)
         select organization, $1, 'mbr_01jd8x0000000000000000000z', $2, draft, now() + interval '1 hour', case when $3::boolean then now() end
         from agents where name = 'sales'`,
        [name, labels, archived],
      );
    await insert("support", ["care", "beta"], false);
    await insert("billing", ["care"], true);
    await app.pool.query("insert into organizations (organization) values ('other')");
    await app.pool.query(
      "insert into agents (organization, name, owner, draft) select 'other', 'foreign', owner, draft from agents where name = 'sales'",
    );
  });

  it("answers all of the organization, newest first, and none of another's", async () => {
    expect(await names("")).toEqual(["billing", "support", "sales"]);
  });

  it("shows each as it stands in the environment of the key", async () => {
    const here = (await app.call("GET", "/v1/agents?status=deployed")).body.data;
    expect(here).toMatchObject([{ agent: "sales", status: "deployed", deployment: { version: 1 } }]);
    expect(await names("?status=deployed", { environment: "production" })).toEqual([]);
    expect(await names("?status=draft", { environment: "production" })).toEqual(["support", "sales"]);
  });

  it("narrows by each filter", async () => {
    const { owner } = (await app.call("GET", "/v1/agents/sales")).body;
    expect(await names("?status=archived")).toEqual(["billing"]);
    expect(await names("?status=draft,archived")).toEqual(["billing", "support"]);
    expect(await names("?label=care")).toEqual(["billing", "support"]);
    expect(await names("?label=care&status=draft")).toEqual(["support"]);
    expect(await names(`?owner=${owner}`)).toEqual(["sales"]);
    expect(await names("?owner=mbr_none")).toEqual([]);
  });

  it("pages without loss or doubling, also where two were made at the same moment", async () => {
    await app.pool.query(
      "update agents set created_at = (select created_at from agents where name = 'support' and organization = 'default') where name = 'billing'",
    );
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await app.call("GET", `/v1/agents?limit=1${cursor}`);
      seen.push(...body.data.map((one: { agent: string }) => one.agent));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(["support", "billing", "sales"]);
  });
});
