import { type Static, type TSchema, Type } from "typebox";
import { agentNamePattern } from "../../kernel/agent-name.ts";
import { SecretWithheld } from "../../kernel/idempotency.ts";
import { environments, roles } from "../../kernel/principal.ts";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";

export { AccountablePerson } from "./accountability/persons.ts";
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
} from "./connections/schemas.ts";
export * from "./settings/schemas.ts";
export { OpeningHours, RemovedTeam, SavedReply, SetTeamBody, Team, TeamTargets } from "./teams/schemas.ts";

const hidden = "\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069";
/** A readable name: no control characters, and none that change the direction of text, which would display another name. */
export const plainText = `^[^${hidden}]*[^\\s${hidden}][^${hidden}]*$`;

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
export const ExpiresAt = nullable(Time, "When it expires; null: never.");
export const RevokedAt = nullable(
  Time,
  "When it stopped working, or will at the end of an overlap; null: not revoked.",
);

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
  replaced_by: nullable(KeyId, "The key that took its place when it was revoked; null: none."),
  last_used_at: nullable(Time, "To the minute, and written a little later; null: never used."),
});
export type Key = Static<typeof Key>;

export const IssuedKey = Type.Object({
  ...Key.properties,
  key: Type.Optional(Type.String({ description: "The key itself. It is shown this once and cannot be read again." })),
  secret_withheld: SecretWithheld,
});
export type IssuedKey = Static<typeof IssuedKey>;

export const serviceAccountPattern = "^[a-z][a-z0-9-]{0,39}$";
export const EXPIRY_DAYS = { least: 1, most: 3650, standard: 90 } as const;

const someOf = <T extends TSchema>(item: T, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: 100, uniqueItems: true, description }));

const Owner = Type.Object(
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
);

export const IssueKeyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: plainText, description: "What it is for, for people." }),
    role: RoleName,
    scopes: someOf(Type.String(), "Narrows the key to these permissions of its role."),
    agents: someOf(Type.String({ pattern: agentNamePattern }), "Narrows the key to these agents."),
    expires_in_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: EXPIRY_DAYS.least, maximum: EXPIRY_DAYS.most }), Type.Null()], {
        description:
          "Days until it stops working; null: never. Left out: 90, or as long as the key that issues it, whichever is shorter. No key issues one that outlives it.",
      }),
    ),
    addresses: someOf(Type.String(), "Networks it may be used from: addresses or CIDR blocks."),
    rate_per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: "Requests a second. Left out: what the settings of the environment say.",
      }),
    ),
    for: Type.Optional(Owner),
  },
  closed,
);
export type IssueKeyBody = Static<typeof IssueKeyBody>;

export const MemberKind = Type.Enum(["person", "service_account"]);
export const memberStates = ["invited", "active"] as const;

export const Member = Type.Object({
  member_id: Type.String({ description: "`mbr_…`." }),
  kind: MemberKind,
  name: Type.String(),
  email: nullable(Type.String(), "Of a person, where one is known."),
  role: nullable(Type.Enum(roles), "In the environment of the call; null: none."),
  state: Type.Enum(memberStates, { description: "`invited` until they signed in, or a key of theirs was used." }),
  keys: Type.Integer({ description: "Keys of theirs that work in this environment." }),
  invited_by: nullable(Type.String(), "Who invited them; null: nobody did."),
  invitation_sent_at: nullable(Time, "When an invitation to this environment was last e-mailed to them; null: never."),
  created_at: Time,
});
export type Member = Static<typeof Member>;

export const SetMemberBody = Type.Object(
  {
    role: nullable(
      Type.Enum(roles),
      "The role in the environment of the call; null takes the one here away and ends the member's keys here.",
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: plainText,
        description: "For people. Of an invitation, the address unless given.",
      }),
    ),
    email: Type.Optional(
      Type.String({
        maxLength: 254,
        description:
          "Another e-mail address, for people who have a role in this environment only. It voids what the person signs in with: sessions, passkeys, the account at the provider, and open invitations.",
      }),
    ),
  },
  closed,
);
export type SetMemberBody = Static<typeof SetMemberBody>;
