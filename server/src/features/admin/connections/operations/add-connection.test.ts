import { describe, expect, it } from "vitest";
import { openSecrets, unseal } from "../../../../db/secrets.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { findConnection } from "../../public.ts";

const app = useSharedApp();
const secret = "sk-test-0123456789abcdefX7qd";
const add = (body: object, options = {}) => app.call("POST", "/v1/admin/connections", { body, ...options });
const credentialKey = async () =>
  (
    await openSecrets({
      pool: app.pool,
      keySource: { secretKey: Buffer.alloc(32, 7).toString("base64"), dataDir: "/nowhere" },
    })
  ).credentialKey();
const database = () => ({
  query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
    (await app.pool.query(text, values as unknown[])).rows as R[],
});
const find = async (name: string, scope = app.scope) => findConnection(database(), await credentialKey(), scope, name);

describe("a connection that is added", () => {
  it("is shown with everything but its secret", async () => {
    const { status, body, text } = await add({ name: "openai-main", kind: "openai", secret });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      connection: "openai-main",
      kind: "openai",
      base_url: "https://api.openai.com/v1",
      auth: null,
      has_secret: true,
      last_four: "X7qd",
      last_test: null,
      used_by: [],
    });
    expect(body.created_by).toMatch(/^mbr_/);
    expect(text).not.toContain(secret);
  });

  it("gives its secret to machines of its own environment, and to nobody else", async () => {
    await add({
      name: "crm",
      kind: "http",
      base_url: "https://crm.example.com/api/",
      secret,
      auth: { scheme: "header", header: "X-Api-Key" },
    });
    expect(await find("crm")).toEqual({
      name: "crm",
      kind: "http",
      baseUrl: "https://crm.example.com/api",
      auth: { scheme: "header", header: "X-Api-Key" },
      secret,
    });
    expect(await find("crm", { ...app.scope, environment: "staging" })).toBeUndefined();
    expect(await find("CRM")).toBeUndefined();
  });

  it("lies encrypted in the database, and does not open under another name", async () => {
    await add({ name: "sealed", kind: "anthropic", secret });
    const { rows } = await app.pool.query("select * from connections where name = 'sealed'");
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(rows[0].secret.includes(Buffer.from(secret))).toBe(false);
    const key = await credentialKey();
    expect(unseal(key, rows[0].secret, "connection default development sealed")?.toString()).toBe(secret);
    await app.pool.query("update connections set name = 'moved' where name = 'sealed'");
    await expect(find("moved")).rejects.toThrow("the secret of the connection moved does not open");
    await app.pool.query("delete from connections where name = 'moved'");
  });

  it("leaves its secret in no record, event, stored answer or statement of the database", async () => {
    await add(
      { name: "traceless", kind: "anthropic", secret: "a-secret-that-leaves-no-trace" },
      { headers: { "idempotency-key": "traceless-1" } },
    );
    const { rows: tables } = await app.pool.query<{ name: string }>(
      "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'",
    );
    const finds = await Promise.all(
      tables.map(
        async ({ name }) =>
          (
            await app.pool.query(
              `select $1::text as name from ${name} t where t::text like $2 or t::text like $3 limit 1`,
              [name, "%that-leaves-no%", `%${Buffer.from("that-leaves-no").toString("hex")}%`],
            )
          ).rows,
      ),
    );
    expect(finds.flat()).toEqual([]);
  });

  it("is taken once by its name, and replaced where that is asked for, secret, address and all", async () => {
    await add({ name: "rotated", kind: "openai-compatible", base_url: "https://one.example.com/v1", secret });
    const again = await add({ name: "rotated", kind: "openai", secret: "another-secret-0123456789" });
    expect([again.status, again.body.code]).toEqual([409, "connection_exists"]);
    expect((await find("rotated"))?.secret).toBe(secret);
    const replaced = await add({
      name: "rotated",
      kind: "openai-compatible",
      base_url: "https://two.example.com/v1",
      replace: true,
    });
    expect(replaced.body).toMatchObject({ base_url: "https://two.example.com/v1", has_secret: false, last_four: null });
    expect(await find("rotated")).toMatchObject({ baseUrl: "https://two.example.com/v1", secret: null });
    expect(replaced.body.created_at < replaced.body.changed_at).toBe(true);
  });

  it("is one however many are added at once", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => add({ name: "raced", kind: "openai", secret })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it("shows nothing of a secret so short that four characters would tell much of it", async () => {
    expect(
      (await add({ name: "short", kind: "http", base_url: "https://a.example.com", secret: "hunter2" })).body.last_four,
    ).toBeNull();
  });
});

describe("a connection that breaks a rule", () => {
  const http = { name: "bad", kind: "http", base_url: "https://a.example.com", secret };
  it.each([
    ["no secret", { name: "bad", kind: "anthropic" }, "/secret", "required"],
    ["no address", { name: "bad", kind: "openai-compatible" }, "/base_url", "required"],
    ["no address of a tool", { name: "bad", kind: "http", secret }, "/base_url", "required"],
    ["an address that is none", { ...http, base_url: "api.example.com" }, "/base_url", "not_an_address"],
    ["an address of another scheme", { ...http, base_url: "ftp://a.example.com" }, "/base_url", "not_an_address"],
    ["an address with a query", { ...http, base_url: "https://a.example.com/?key=1" }, "/base_url", "not_an_address"],
    [
      "a password in the address",
      { ...http, base_url: "https://user:pass@a.example.com" },
      "/base_url",
      "credentials_in_address",
    ],
    ["a basic secret without a colon", { ...http, auth: { scheme: "basic" } }, "/secret", "not_basic"],
    ["no header for the scheme", { ...http, auth: { scheme: "header" } }, "/auth/header", "required"],
    [
      "a header for another scheme",
      { ...http, auth: { scheme: "bearer", header: "X-Key" } },
      "/auth/header",
      "not_for_scheme",
    ],
    [
      "a header of HTTP itself",
      { ...http, auth: { scheme: "header", header: "Content-Length" } },
      "/auth/header",
      "reserved",
    ],
    [
      "a way of its own for a provider",
      { name: "bad", kind: "openai", secret, auth: { scheme: "bearer" } },
      "/auth",
      "not_for_kind",
    ],
  ])("is refused with its place: %s", async (_what, body, pointer, code) => {
    const { status, body: problem, text } = await add(body);
    expect([status, problem.errors]).toMatchObject([422, [{ pointer, code }]]);
    expect(text).not.toContain(secret);
  });

  it("is refused where the secret could break out of a header", async () => {
    for (const bad of ["line\nbreak-0123456789", " leading", "trailing ", "ünïcode", ""]) {
      expect([bad, (await add({ ...http, secret: bad })).body.errors?.[0]?.pointer]).toEqual([bad, "/secret"]);
    }
  });
});
