import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../testing/database.ts";
import { migrate } from "./migrate.ts";
import { grantRuntimeRole } from "./runtime-role.ts";

const database = useDatabase({ migrated: false });
const suffix = randomBytes(4).toString("hex");
const [ownerRole, runtimeRole, otherRole] = [`aos_owner_${suffix}`, `aos_runtime_${suffix}`, `dba_${suffix}`];
let owner: pg.Pool;
let runtime: pg.Pool;

const poolAs = (role: string): pg.Pool => {
  const url = new URL(database.connectionString);
  url.searchParams.set("user", role); // wins over the name before the host, and works for a socket
  return new pg.Pool({ connectionString: url.href, max: 2 });
};

beforeAll(async () => {
  const name = new URL(database.connectionString).pathname.slice(1);
  await database.pool.query(
    `create role ${ownerRole} login; create role ${runtimeRole} login; create role ${otherRole};
     grant all on database ${name} to ${ownerRole}; alter schema public owner to ${ownerRole}`,
  );
  [owner, runtime] = [poolAs(ownerRole), poolAs(runtimeRole)];
  await migrate(owner);
});
afterAll(async () => {
  await Promise.all([owner.end(), runtime.end()]);
  const roles = [ownerRole, runtimeRole, otherRole].join(", ");
  await database.pool.query(`drop owned by ${roles} cascade; drop role ${roles}`);
});

const rightsOn = async (table: string) =>
  (await database.pool.query("select has_table_privilege($1, $2, 'select') as may", [runtimeRole, table])).rows[0].may;

describe("the rights of the runtime role", () => {
  it("are granted on the service's tables beside one of somebody else, which stays as it is", async () => {
    await database.pool.query("create table of_somebody_else (id int)");
    await grantRuntimeRole(owner, runtime);
    expect([await rightsOn("tasks"), await rightsOn("of_somebody_else")]).toEqual([true, false]);
  });

  it("are refused in one sentence where a table of the service belongs to somebody else", async () => {
    await database.pool.query(`alter table audit_salts owner to ${otherRole}`);
    await expect(grantRuntimeRole(owner, runtime)).rejects.toThrow(
      /does not own the service's table audit_salts, .* set there the role/,
    );
    await database.pool.query(`alter table audit_salts owner to ${ownerRole}`);
  });
});
