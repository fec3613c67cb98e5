import { type Static, Type } from "typebox";
import { SecretWithheld } from "../../kernel/idempotency.ts";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { AgentName } from "../agents/schemas.ts";
import { ConversationId, EndUser } from "./conversations-schemas.ts";

// Shapes of chat tokens on the wire. A part of schemas.ts, which it does not import.

const Origins = Type.Array(
  Type.String({
    pattern: "^https?://[a-z0-9.-]+(:[0-9]{1,5})?$|^https?://\\[[0-9a-f:]+\\](:[0-9]{1,5})?$",
    maxLength: 253,
    description: "As browsers write it: scheme, host in lower case, and the port if it is not the usual one.",
  }),
  { minItems: 1, maxItems: 10, uniqueItems: true, description: "Origins of the pages that may use the token." },
);
const Channel = Type.String({
  pattern: "^[a-z][a-z0-9-]{0,39}$",
  description: "A web channel; its agent answers.",
});

export const CreateChatTokenBody = Type.Object(
  {
    agent: Type.Optional(AgentName),
    channel: Type.Optional(Channel),
    user: EndUser,
    conversation: Type.Optional(
      nullable(
        ConversationId,
        "The only conversation of this user that the token opens. Default: all with this agent.",
      ),
    ),
    origins: Type.Optional(Origins),
    lifetime_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 3600, default: 900 })),
  },
  closed,
);
export type CreateChatTokenBody = Static<typeof CreateChatTokenBody>;

export const CreatedChatToken = Type.Object({
  token_id: Type.String({ description: "`ctk_…`; audit records of the user's calls name it." }),
  token: Type.Optional(Type.String({ description: "What the page sends as `Authorization: Bearer`. Shown once." })),
  secret_withheld: SecretWithheld,
  agent: AgentName,
  channel: Type.String(),
  user: EndUser,
  conversation: nullable(ConversationId),
  origins: Origins,
  expires_at: Time,
  audit_ref: Type.String({ description: "The audit record of this call, `aud_…`." }),
});
export type CreatedChatToken = Static<typeof CreatedChatToken>;
