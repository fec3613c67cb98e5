import type { Reader } from "../../kernel/db.ts";
import { defineFacts } from "../../kernel/facts.ts";
import type { KeyFacts } from "../../kernel/key-facts.ts";
import type { Environment, Role, Scope } from "../../kernel/principal.ts";
import { deadSince, isPersonal, keysWithOwners } from "./key-sql.ts";

interface Row {
  hash: string;
  organization: string;
  environment: Environment;
  id: string;
  member_id: string;
  member_kind: "person" | "service_account";
  role: Role;
  scopes: string[] | null;
  agents: string[] | null;
  personal: boolean;
  issuers: string[];
  addresses: string[] | null;
  rate_per_second: number | null;
  expires_at: Date | null;
  dead_since: Date | null;
}

/** What the key's environment has set for keys without a rate of their own; null: nothing, and the installation's standard holds. */
const rateOfEnvironment = `(select (s.settings #>> '{rate,per_second}')::int from settings s
  where s.organization = k.organization and s.environment = k.environment)`;

const columns = `encode(k.secret_hash, 'hex') as hash, k.organization, k.environment, k.id, k.member_id, m.kind as member_kind, k.role, k.scopes,
  k.agents, ${isPersonal} as personal, k.issuers, k.addresses, coalesce(k.rate_per_second, ${rateOfEnvironment}) as rate_per_second, k.expires_at, ${deadSince} as dead_since`;

function toFacts(row: Row): KeyFacts {
  const { id, member_id, role, scopes, agents, personal, issuers, organization, environment } = row;
  const kind = row.member_kind === "person" ? "member" : "service_account";
  return {
    principal: { kind, id: member_id, role, keyId: id, scopes, agents, personal, issuers },
    scope: { organization, environment },
    expiresAt: row.expires_at?.getTime() ?? null,
    revokedAt: row.dead_since?.getTime() ?? null,
    addresses: row.addresses,
    ratePerSecond: row.rate_per_second,
  };
}

/** A person who was not removed, with a role in each environment where they have one. */
interface PersonRow {
  organization: string;
  id: string;
  roles: Partial<Record<Environment, Role>>;
}

/** Keys by what is stored of them, and the roles of people. */
export class KeyDirectory {
  readonly #keys: ReadonlyMap<string, KeyFacts>;
  readonly #byId: ReadonlyMap<string, KeyFacts>;
  readonly #people: ReadonlyMap<string, PersonRow["roles"]>;
  constructor(rows: readonly Row[], people: readonly PersonRow[] = []) {
    this.#keys = new Map(rows.map((row) => [row.hash, toFacts(row)]));
    this.#byId = new Map(rows.map((row) => [row.id, this.#keys.get(row.hash) as KeyFacts]));
    this.#people = new Map(people.map(({ organization, id, roles }) => [`${organization} ${id}`, roles]));
  }

  /** The key with this SHA-256, in hexadecimal; undefined where none is known. It may be expired or revoked: who asks decides by the time. */
  byHash(hash: string): KeyFacts | undefined {
    return this.#keys.get(hash);
  }

  /** The key of an id (`key_…`), dead or alive, as `byHash`. */
  byId(id: string): KeyFacts | undefined {
    return this.#byId.get(id);
  }

  /** The role of a person in an environment; undefined where there is no such person, or they have none there. */
  roleOf({ organization, environment }: Scope, memberId: string): Role | undefined {
    return this.#people.get(`${organization} ${memberId}`)?.[environment];
  }
}

/**
 * The keys and people of all organizations, of the keys with those that expired or were revoked within the last day, so that they are refused from memory as well.
 * Touched by whatever changes a key, the roles of a member, or the rate of an environment.
 */
export const keyFacts = defineFacts<KeyDirectory>({
  topic: "keys",
  async load(db) {
    const keys = db.query<Row>(
      `select ${columns} from ${keysWithOwners}
       where (k.expires_at is null or k.expires_at > now() - interval '1 day')
         and (${deadSince} is null or ${deadSince} > now() - interval '1 day')`,
    );
    const people = db.query<PersonRow>(
      "select organization, id, roles from members where kind = 'person' and removed_at is null",
    );
    return new KeyDirectory(await keys, await people);
  },
});

/** One key straight from the database, dead or alive, by its SHA-256 in hexadecimal. */
export async function lookUpKey(db: Reader, hash: string): Promise<KeyFacts | undefined> {
  const rows = await db.query<Row>(`select ${columns} from ${keysWithOwners} where k.secret_hash = decode($1, 'hex')`, [
    hash,
  ]);
  return rows[0] && toFacts(rows[0]);
}
