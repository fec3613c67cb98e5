import { type Static, Type } from "typebox";
import { byKind } from "../../../kernel/by-kind.ts";
import { modelProviders } from "../../../kernel/provider-addresses.ts";
import { closed, decidedMembers, nullable, Time } from "../../../kernel/schema-words.ts";

export const connectionKinds = [...modelProviders, "http"] as const;
export type ConnectionKind = (typeof connectionKinds)[number];
export const ConnectionKindName = Type.Enum(connectionKinds, {
  description:
    "`anthropic`, `openai`, `openai-compatible` (any server that speaks OpenAI's interface): for models. `http`: for tools.",
});

export const connectionNamePattern = "^[a-z][a-z0-9_-]{0,63}$";
export const ConnectionName = Type.String({
  pattern: connectionNamePattern,
  description: "The name by which models and tools of agents refer to it.",
});

const schemes = ["bearer", "basic", "header"] as const;
export type AuthScheme = (typeof schemes)[number];

export const ConnectionAuth = Type.Object(
  {
    scheme: Type.Enum(schemes, {
      description:
        "`bearer`: `Authorization: Bearer <secret>`. `basic`: the secret is `<user>:<password>`. `header`: the secret alone, in `header`.",
    }),
    header: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
        description: "The header's name, such as `X-Api-Key`; for scheme `header`.",
      }),
    ),
  },
  closed,
);
export type ConnectionAuth = Static<typeof ConnectionAuth>;

export const ConnectionUse = Type.Object({
  agent: Type.String(),
  version: nullable(Type.Integer(), "The version that is live in this environment; null: the draft."),
  place: Type.String({ description: "`model`, or `tool <name>`." }),
});
export type ConnectionUse = Static<typeof ConnectionUse>;

export const ConnectionTest = Type.Object({
  connection: ConnectionName,
  ok: Type.Boolean({ description: "Whether the other side was reached and took the credentials." }),
  code: nullable(Type.String(), "Why not, such as `provider_unauthorized`; null: it works."),
  detail: Type.String({ description: "One sentence for people." }),
  milliseconds: Type.Integer({ description: "How long it took." }),
  tested_at: Time,
});
export type ConnectionTest = Static<typeof ConnectionTest>;

export const Connection = Type.Object({
  connection: ConnectionName,
  kind: ConnectionKindName,
  base_url: Type.String({ description: "Where it leads: the secret is sent to this host and to no other." }),
  auth: nullable(ConnectionAuth, "How an http connection carries its secret; null: the provider's own way."),
  has_secret: Type.Boolean({ description: "The secret itself cannot be read." }),
  last_four: nullable(
    Type.String(),
    "The secret's last four characters, to recognise it by; null: it has none, or is too short to show any.",
  ),
  digest: Type.String({
    description:
      "Another one at each change of address, credentials or kind; whoever confirms the connection names it.",
  }),
  ...decidedMembers,
  created_by: Type.String(),
  created_at: Time,
  changed_at: Type.String({ format: "date-time", description: "When it was added or last replaced." }),
  last_test: nullable(ConnectionTest, "Null: it was not tested since."),
  used_by: Type.Array(ConnectionUse, {
    description: "Drafts, and versions that are live in this environment, that name it.",
  }),
});
export type Connection = Static<typeof Connection>;

const Secret = Type.String({
  minLength: 1,
  maxLength: 8192,
  pattern: "^[!-~]([ -~]*[!-~])?$",
  description:
    "The key or token. It is stored encrypted and never shown again. An `openai-compatible` server may need none.",
});
const Address = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: "^https?://[^?#]+$",
  description: "Where it leads.",
});
const Replace = Type.Optional(
  Type.Boolean({
    default: false,
    description: "Replaces the connection of this name, for example to renew its secret.",
  }),
);
const named = { name: ConnectionName, replace: Replace };
export const AddProviderConnection = Type.Object(
  { ...named, kind: Type.Enum(["anthropic", "openai"] as const), secret: Secret, base_url: Type.Optional(Address) },
  { ...closed, description: "A provider that has an address of its own." },
);
export const AddCompatibleConnection = Type.Object(
  { ...named, kind: Type.Literal("openai-compatible"), secret: Type.Optional(Secret), base_url: Address },
  { ...closed, description: "A server that speaks OpenAI's interface; it may need no secret." },
);
export const AddHttpConnection = Type.Object(
  { ...named, kind: Type.Literal("http"), secret: Secret, base_url: Address, auth: Type.Optional(ConnectionAuth) },
  { ...closed, description: "A service that tools call." },
);
const connectionsByKind = {
  anthropic: "AddProviderConnection",
  openai: "AddProviderConnection",
  "openai-compatible": "AddCompatibleConnection",
  http: "AddHttpConnection",
};

export const AddConnectionBody = Type.Object(
  {
    name: ConnectionName,
    kind: ConnectionKindName,
    secret: Type.Optional(Secret),
    base_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description:
          "Where it leads, such as `https://api.example.com/v1`. Left out: the provider's own address, where it has one.",
      }),
    ),
    auth: Type.Optional(ConnectionAuth),
    replace: Replace,
  },
  {
    ...closed,
    ...byKind("kind", connectionsByKind, [AddProviderConnection, AddCompatibleConnection, AddHttpConnection]),
  },
);
export type AddConnectionBody = Static<typeof AddConnectionBody>;

export const TestConnectionBody = Type.Object(
  {
    model: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "Asks this model for a few words, which costs some tokens. Left out: models are only listed, and an http address is only fetched.",
      }),
    ),
  },
  closed,
);
export type TestConnectionBody = Static<typeof TestConnectionBody>;

export const RemovedConnection = Type.Object({
  connection: ConnectionName,
  removed: Type.Literal(true),
  used_by: Type.Array(ConnectionUse, {
    description: "What named it: these models and tools now lack their credentials.",
  }),
});
export type RemovedConnection = Static<typeof RemovedConnection>;
