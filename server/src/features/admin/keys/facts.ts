import type { Row as Stored } from "../../../db/scoped.ts";
import type { Reader } from "../../../kernel/db.ts";
import { defineFacts } from "../../../kernel/facts.ts";
import type { KeyFacts } from "../../../kernel/key-facts.ts";
import type { Environment, Principal, Role, Scope } from "../../../kernel/principal.ts";
import { deadSince, isPersonal, keysWithOwners } from "./sql.ts";

type KeyColumns = "environment" | "scopes" | "agents" | "addresses" | "rate_per_second" | "expires_at";
type Row = Pick<Stored<"keys">, "organization" | "id" | "member_id" | "personal" | "issuers" | KeyColumns> & {
  hash: string;
  member_kind: "person" | "service_account";
  role: Role;
  teams: string[];
  dead_since: Date | null;
};

/** The rate that the key's environment sets for keys without one; null: the default holds. */
const rateOfEnvironment = `(select (s.settings #>> '{rate,per_second}')::int from settings s
  where s.organization = k.organization and s.environment = k.environment)`;

/** The teams of each member, by environment: `organization`, `environment`, `member`, `names`. */
const teamsByMember = `(select organization, environment, member, array_agg(name order by name) as names
  from teams cross join unnest(members) as member group by organization, environment, member)`;

/** Keys with their owners `m` and the teams `t` of these in the key's environment. */
const keysWithTeams = `${keysWithOwners}
  left join ${teamsByMember} t on t.organization = k.organization and t.environment = k.environment and t.member = k.member_id`;

const columns = `encode(k.secret_hash, 'hex') as hash, k.organization, k.environment, k.id, k.member_id, m.kind as member_kind, k.role, k.scopes,
  k.agents, coalesce(t.names, '{}') as teams, ${isPersonal} as personal, k.issuers, k.addresses, coalesce(k.rate_per_second, ${rateOfEnvironment}) as rate_per_second, k.expires_at, ${deadSince} as dead_since`;

function toFacts(row: Row): KeyFacts {
  const { id, member_id, role, scopes, agents, personal, issuers, teams, organization, environment } = row;
  const kind = row.member_kind === "person" ? "member" : "service_account";
  return {
    principal: { kind, id: member_id, role, keyId: id, scopes, agents, personal, issuers, teams },
    scope: { organization, environment },
    expiresAt: row.expires_at?.getTime() ?? null,
    revokedAt: row.dead_since?.getTime() ?? null,
    addresses: row.addresses,
    ratePerSecond: row.rate_per_second,
  };
}

export function personFacts(
  scope: Scope,
  person: Pick<Principal, "id" | "role" | "personal" | "issuers" | "sessionId" | "teams">,
  bounds: Partial<Pick<KeyFacts, "expiresAt" | "ratePerSecond">> = {},
): KeyFacts {
  return {
    principal: { ...person, kind: "member", keyId: null, scopes: null, agents: null },
    scope,
    expiresAt: null,
    revokedAt: null,
    addresses: null,
    ratePerSecond: null,
    ...bounds,
  };
}

interface MemberRow {
  organization: string;
  id: string;
  roles: Partial<Record<Environment, Role>>;
  teams: Partial<Record<Environment, string[]>> | null;
}

export class KeyDirectory {
  readonly #keys: ReadonlyMap<string, KeyFacts>;
  readonly #byId: ReadonlyMap<string, KeyFacts>;
  readonly #members: ReadonlyMap<string, MemberRow>;
  constructor(rows: readonly Row[], members: readonly MemberRow[] = []) {
    this.#keys = new Map(rows.map((row) => [row.hash, toFacts(row)]));
    this.#byId = new Map(rows.map((row) => [row.id, this.#keys.get(row.hash) as KeyFacts]));
    this.#members = new Map(members.map((member) => [`${member.organization} ${member.id}`, member]));
  }

  /** The key with this SHA-256 (hexadecimal), which may be expired or revoked. */
  byHash(hash: string): KeyFacts | undefined {
    return this.#keys.get(hash);
  }

  byId(id: string): KeyFacts | undefined {
    return this.#byId.get(id);
  }

  roleOf({ organization, environment }: Scope, memberId: string): Role | undefined {
    return this.#members.get(`${organization} ${memberId}`)?.roles[environment];
  }

  teamsOf({ organization, environment }: Scope, memberId: string): readonly string[] {
    return this.#members.get(`${organization} ${memberId}`)?.teams?.[environment] ?? [];
  }
}

/**
 * The keys and members of all organizations. Keys that expired or were revoked within the last day are included, so that they are refused from memory as well.
 * Touched by changes of keys, of members' roles and teams, and of an environment's rate.
 */
export const keyFacts = defineFacts<KeyDirectory>({
  topic: "keys",
  async load(db) {
    const keys = db.query<Row>(
      `select ${columns} from ${keysWithTeams}
       where (k.expires_at is null or k.expires_at > now() - interval '1 day')
         and (${deadSince} is null or ${deadSince} > now() - interval '1 day')`,
    );
    const members = db.query<MemberRow>(
      `select m.organization, m.id, m.roles, jsonb_object_agg(t.environment, t.names) filter (where t.environment is not null) as teams
       from members m left join ${teamsByMember} t on t.organization = m.organization and t.member = m.id
       where m.removed_at is null group by m.organization, m.id, m.roles`,
    );
    return new KeyDirectory(await keys, await members);
  },
});

/** The key with this SHA-256 (hexadecimal) from the database, even if expired or revoked. */
export async function lookUpKey(db: Reader, hash: string): Promise<KeyFacts | undefined> {
  const rows = await db.query<Row>(`select ${columns} from ${keysWithTeams} where k.secret_hash = decode($1, 'hex')`, [
    hash,
  ]);
  return rows[0] && toFacts(rows[0]);
}
