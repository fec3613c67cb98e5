import type { Environment } from "../../src/kernel/principal.ts";
import { type Cast, must, type Person } from "../../src/testing/actors.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { botKey } from "./triggers.fixture.ts";

// A service account that a person names to act in its own right (`as`), and what may become of both.

interface Named {
  /** The account's id. */
  readonly account: string;
  readonly namer: Person;
  readonly environment: Environment;
  /** Another admin. */
  readonly by: Person;
}

type Happening = readonly [why: string, happen: (app: TestApp, named: Named) => Promise<unknown>];

/** An account that may do what a builder may, for the first of the cast to name. */
export async function accountNamedIn(app: TestApp, { alice, bob }: Cast) {
  const { account } = await botKey(app, bob);
  const { rows } = await app.pool.query<{ id: string }>("select id from members where name = $1", [account]);
  return { account, memberId: rows[0]?.id as string, namer: alice };
}

const loseRole = (app: TestApp, member: string, environment: Environment) =>
  app.pool.query("update members set roles = roles - $2::text where id = $1", [member, environment]);

const becomeViewer = (app: TestApp, member: string, environment: Environment) =>
  app.pool.query("update members set roles = roles || jsonb_build_object($2::text, 'viewer') where id = $1", [
    member,
    environment,
  ]);

const revokeKey = (app: TestApp, { namer, by }: Named) =>
  must(app, 200, by, "DELETE", `/v1/admin/keys/${namer.keyId}`, {});

/** As rows were stored that do not say by which key the account was named. */
async function forgetKey(app: TestApp, { namer }: Named): Promise<void> {
  for (const table of ["workflow_triggers", "agent_schedules"])
    await app.pool.query(
      `update ${table} set actor = actor #- '{credential,by}' where actor #>> '{credential,named}' = $1`,
      [namer.memberId],
    );
}

/** After which it stops. */
export const withdrawals: readonly Happening[] = [
  ["the key by which it was named was revoked", revokeKey],
  [
    "whoever named it was removed",
    (app, { namer, by }) => must(app, 200, by, "PUT", `/v1/admin/members/${namer.memberId}`, { role: null }),
  ],
  ["whoever named it has no role", (app, { namer, environment }) => loseRole(app, namer.memberId, environment)],
  [
    "whoever named it may do no more than read",
    (app, { namer, environment }) => becomeViewer(app, namer.memberId, environment),
  ],
  ["the account has no role", (app, { account, environment }) => loseRole(app, account, environment)],
  [
    "whoever named it, it is not known by which key, has no role",
    async (app, named) => {
      await forgetKey(app, named);
      await loseRole(app, named.namer.memberId, named.environment);
    },
  ],
];

/** After which it goes on. */
export const passings: readonly Happening[] = [
  [
    "another key took the place of the one by which it was named",
    async (app, { namer }) => {
      const key = { name: "next", role: "admin", for: { member: namer.memberId } };
      const { key_id } = await must(app, 201, namer, "POST", "/v1/admin/keys", key);
      const replaced = "update keys set replaced_by = $2, revoked_at = now() where id = $1";
      await app.pool.query(replaced, [namer.keyId, key_id]);
    },
  ],
  [
    "it is not known by which key it was named, and whoever named it has their role",
    async (app, named) => {
      await forgetKey(app, named);
      await revokeKey(app, named);
    },
  ],
];
