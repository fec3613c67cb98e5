import { type Static, Type } from "typebox";
import { agentNamePattern } from "../../kernel/agent-name.ts";
import { SecretWithheld } from "../../kernel/idempotency.ts";
import { environments, roles } from "../../kernel/principal.ts";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { plainText } from "./people-schemas.ts";

export {
  AddCompatibleConnection,
  AddConnectionBody,
  AddHttpConnection,
  AddProviderConnection,
  Connection,
  ConnectionAuth,
  ConnectionKindName,
  ConnectionTest,
  ConnectionUse,
  RemovedConnection,
  TestConnectionBody,
} from "./connections-schemas.ts";
export * from "./people-schemas.ts";

export const KeyId = Type.String({ description: "The key's id, `key_…`; not the key itself." });
export const MemberId = Type.String({ description: "The id of a person or a service account, `mbr_…`." });
export const RoleName = Type.Enum(roles, { description: "What a key may do at most." });
export const keyStates = ["active", "expired", "revoked"] as const;
export const KeyState = Type.Enum(keyStates, {
  description: "`revoked` as well where its member was removed or has lost the role behind it.",
});
export type KeyState = Static<typeof KeyState>;

export const Environment = Type.Enum(environments);
export const Scopes = nullable(
  Type.Array(Type.String()),
  "Permissions the key is narrowed to, such as `tasks:read`; null: all of its role.",
);
export const Agents = nullable(Type.Array(Type.String()), "Agents the key is narrowed to, by name; null: all.");
export const Addresses = nullable(
  Type.Array(Type.String()),
  "Networks the key may be used from (addresses or CIDR blocks); null: any.",
);
export const Rate = nullable(Type.Integer(), "Requests a second; null: what the settings of its environment say.");
export const SecretStart = Type.String({ description: "The key's first characters, to recognise it by." });
export const SecretEnd = Type.String({ description: "The key's last four characters." });
export const Personal = Type.Boolean({
  description:
    "Whether its person issued it to themselves, signed in by OpenID Connect or passkey or with another such key. Only such a key votes where an approval demands another person.",
});
export const ExpiresAt = nullable(Time, "When it stops working by itself; null: never.");
export const RevokedAt = nullable(
  Time,
  "When it stopped working, or will at the end of an overlap; null: not revoked.",
);

/** A key as it is read: everything but itself. */
export const Key = Type.Object({
  key_id: KeyId,
  name: Type.String(),
  environment: Environment,
  role: RoleName,
  scopes: Scopes,
  agents: Agents,
  addresses: Addresses,
  rate_per_second: Rate,
  member_id: MemberId,
  member_kind: Type.Enum(["person", "service_account"]),
  member_name: Type.String(),
  start: SecretStart,
  last_four: SecretEnd,
  state: KeyState,
  created_by: Type.String({ description: "The member, or the machine of the service, that issued it." }),
  personal: Personal,
  created_at: Time,
  expires_at: ExpiresAt,
  revoked_at: RevokedAt,
  last_used_at: nullable(Time, "To the minute, and written a little later; null: never used."),
});
export type Key = Static<typeof Key>;

/** The answer that carries the key, once. */
export const IssuedKey = Type.Object({
  ...Key.properties,
  key: Type.Optional(Type.String({ description: "The key itself. It is shown this once and cannot be read again." })),
  secret_withheld: SecretWithheld,
});
export type IssuedKey = Static<typeof IssuedKey>;

/** Names of service accounts: a short lower-case word, like those of agents. */
export const serviceAccountPattern = "^[a-z][a-z0-9-]{0,39}$";
export const EXPIRY_DAYS = { least: 1, most: 3650, standard: 90 } as const;

export const IssueKeyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: plainText, description: "What it is for, for people." }),
    role: RoleName,
    scopes: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: "Narrows the key to these permissions of its role.",
      }),
    ),
    agents: Type.Optional(
      Type.Array(Type.String({ pattern: agentNamePattern }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: "Narrows the key to these agents.",
      }),
    ),
    expires_in_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: EXPIRY_DAYS.least, maximum: EXPIRY_DAYS.most }), Type.Null()], {
        description:
          "Days until it stops working; null: never. Left out: 90, or as long as the key that issues it, whichever is shorter. No key issues one that outlives it.",
      }),
    ),
    addresses: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: "Networks it may be used from: addresses or CIDR blocks.",
      }),
    ),
    rate_per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: "Requests a second. Left out: what the settings of the environment say.",
      }),
    ),
    for: Type.Optional(
      Type.Object(
        {
          member: Type.Optional(MemberId),
          service_account: Type.Optional(
            Type.String({
              pattern: serviceAccountPattern,
              description: "By name, a short lower-case word; made at its first use.",
            }),
          ),
        },
        {
          ...closed,
          minProperties: 1,
          maxProperties: 1,
          description: "Whom the key acts for: one of the two. Left out: the caller.",
        },
      ),
    ),
  },
  closed,
);
export type IssueKeyBody = Static<typeof IssueKeyBody>;
