import { defineFacts, type FactsReader } from "../../../kernel/facts.ts";
import type { KeyFacts, SessionFacts } from "../../../kernel/key-facts.ts";
import { type Environment, host, type Principal, type Scope } from "../../../kernel/principal.ts";
import { sessionTimes } from "../../../kernel/sessions.ts";
import { type KeyDirectory, keyFacts, personFacts } from "../keys/facts.ts";
import { type SettingsDirectory, settingsFacts } from "../settings/store.ts";
import type { SessionRow } from "./store.ts";

interface Row {
  hash: string;
  organization: string;
  environment: Environment;
  id: string;
  csrf: string;
  member_id: string;
  key_id: string | null;
  method: SessionRow["method"];
  created_at: Date;
  expires_at: Date;
}

interface Joined {
  readonly keys: KeyDirectory;
  readonly settings: SettingsDirectory;
  readonly session: SessionFacts | undefined;
}

/** Sessions that were not ended, by what is stored of their secrets. */
export class SessionDirectory {
  readonly #rows: ReadonlyMap<string, Row>;
  /** Sessions joined with what they hang on, made once for each state of those. */
  readonly #joined = new Map<string, Joined>();

  constructor(rows: readonly Row[]) {
    this.#rows = new Map(rows.map((row) => [row.hash, row]));
  }

  /** The session whose secret has this SHA-256, in hexadecimal; undefined where there is none, or its owner may no longer sign in. */
  find(hash: string, facts: FactsReader): SessionFacts | undefined {
    const row = this.#rows.get(hash);
    if (!row) return undefined;
    const keys = facts.get(keyFacts);
    const settings = facts.get(settingsFacts);
    const known = this.#joined.get(hash);
    if (known?.keys === keys && known.settings === settings) return known.session;
    const holder = holderOf(row, keys, settings);
    const endsBy = row.created_at.getTime() + sessionTimes.most;
    const session = holder && { id: row.id, csrf: row.csrf, expiresAt: row.expires_at.getTime(), endsBy, holder };
    this.#joined.set(hash, { keys, settings, session });
    return session;
  }
}

/** What the session may do: what its key may, or what the member's role allows. Undefined: nothing. */
function holderOf(row: Row, keys: KeyDirectory, settings: SettingsDirectory): KeyFacts | undefined {
  const { organization, environment, id: sessionId, member_id } = row;
  const scope: Scope = { organization, environment };
  if (row.key_id !== null) {
    const key = keys.byId(row.key_id);
    return key && { ...key, principal: { ...key.principal, sessionId } };
  }
  const role = keys.roleOf(scope, member_id);
  if (role === undefined) return undefined;
  const ratePerSecond = settings.of(scope).rate.per_second;
  return personFacts(
    scope,
    { id: member_id, role, teams: keys.teamsOf(scope, member_id), sessionId, ...standing(row.method) },
    { ratePerSecond },
  );
}

/** Who stands behind a session without a key: its person alone, or, by a link, whoever made that on the host too. */
function standing(method: Row["method"]): Pick<Principal, "personal" | "issuers"> {
  return method === "oidc" || method === "passkey"
    ? { personal: true, issuers: [] }
    : { personal: false, issuers: [host] };
}

/**
 * The sessions of all organizations that have not ended. Touched by sign-in, sign-out and what prolongs a session; what ends one from outside, a revoked
 * key or a lost role, touches the keys, with which each session is joined when it is used.
 */
export const sessionFacts = defineFacts<SessionDirectory>({
  topic: "sessions",
  async load(db) {
    return new SessionDirectory(
      await db.query<Row>(
        `select encode(secret_hash, 'hex') as hash, organization, environment, id, csrf, member_id, key_id, method, created_at, expires_at
         from sessions where ended_at is null and expires_at > now()`,
      ),
    );
  },
});
