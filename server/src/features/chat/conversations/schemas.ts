import { type Static, Type } from "typebox";
import { handoffCauses } from "../../../kernel/handoff.ts";
import { HeldBy } from "../../../kernel/hold.ts";
import { SecretWithheld } from "../../../kernel/idempotency.ts";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { AgentName } from "../../agents/schemas.ts";

// Shapes of conversations on the wire. A part of schemas.ts, which it does not import.

export const ConversationId = Type.String({
  pattern: "^cnv_[0-9a-z]{26}$",
  description: "The conversation's id, `cnv_…`.",
});
const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, uniqueItems: true });
export const Language = Type.String({
  pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
  maxLength: 35,
  description: "A language tag of BCP 47, such as `en` or `de-AT`.",
});
export const EndUser = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Your own name of the person who writes, such as the id of their account.",
});
const Title = Type.String({ minLength: 1, maxLength: 200 });
const Context = Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.Unknown(), {
  maxProperties: 50,
  description:
    "What the agent should know besides the messages, such as the customer's order. Data, never instructions.",
});
const ExternalKey = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Your own name of the conversation, unique in its channel: starting it again returns the same one.",
});

export const Handler = Type.Object(
  {
    kind: Type.Enum(["agent", "person"] as const),
    id: Type.String({
      description: "The agent's name, or the member's id; of agents empty to holders of a chat token.",
    }),
    name: Type.String({ description: "As people read it." }),
    since: nullable(Time),
  },
  { description: "Who answers. While it is a person, the agent does not." },
);

export const Handoff = Type.Object({
  to: Type.Enum(["person", "agent"] as const),
  team: nullable(Type.String(), "The team that was asked, by name; null: none."),
  team_title: nullable(Type.String(), "Its title, as customers read it."),
  cause: Type.Enum(handoffCauses, {
    description: "A rule of the agent's file, `agent`: the agent by its tool, `caller`: somebody by a call.",
  }),
  member: nullable(Type.String(), "Who was asked for or assigned, by id; null: anybody who may answer."),
  position: nullable(
    Type.Integer({ minimum: 1 }),
    "Its place among those that wait for the team; null: it does not wait.",
  ),
  opens_at: nullable(Time, "When the team opens; null: it is open, or no team was asked."),
  reason: Type.String(),
  summary: Type.String({ description: "What happened so far, for who takes over." }),
  summary_generated: Type.Boolean({ description: "Whether a model wrote the summary." }),
  requested_by: Type.String({
    description: "By id; the agent's name where the agent asked; empty to holders of a chat token.",
  }),
  requested_at: Time,
  taken_at: nullable(Time, "Null: it waits for somebody."),
});
export type Handoff = Static<typeof Handoff>;

export const Conversation = Type.Object({
  conversation_id: ConversationId,
  agent: Type.String({ description: "By name; to holders of a chat token what users call it, such as `AI agent`." }),
  version: nullable(
    Type.Object({ number: Type.Integer({ minimum: 1 }), version_id: Type.String() }),
    "The version that answers until the conversation was idle for `repin_after_seconds`; null: no turn yet.",
  ),
  repin_after_seconds: Count("How long a conversation is idle before it takes the version that is live then."),
  state: Type.Enum(["open", "closed"] as const),
  handler: Handler,
  handoff: nullable(Handoff, "What people were asked for; null: nothing, or it was handed back."),
  held_by: HeldBy,
  user: nullable(EndUser),
  channel: Type.String({ description: "`api`, or the channel by which it came." }),
  external_key: nullable(ExternalKey),
  title: nullable(Title),
  labels: Labels,
  language: nullable(Language),
  context: Context,
  busy: Type.Boolean({ description: "Whether the agent is answering." }),
  waiting: Count("Messages that wait for their turn."),
  messages: Count("Number of the latest message."),
  sequence: Count("Sequence of the latest event of its stream."),
  disclosure: nullable(
    Type.Object({ text: Type.String(), delivered_at: nullable(Time) }),
    "What tells the user that an agent answers (EU AI Act, Article 50), and when that was delivered.",
  ),
  forked_from: nullable(Type.Object({ conversation_id: Type.String(), message_id: Type.String() })),
  started_by: Type.String({ description: "On whose behalf the agent works, by id." }),
  revision: Type.Integer({ minimum: 1 }),
  audit_ref: Type.String({ description: "The audit record of its start, `aud_…`." }),
  created_at: Time,
  updated_at: Time,
  last_message_at: nullable(Time),
  closed_at: nullable(Time),
  erase_at: nullable(Time, "When it is erased; null: it is kept."),
});
export type Conversation = Static<typeof Conversation>;

const HistoryMessage = Type.Object(
  { role: Type.Enum(["user", "assistant"] as const), text: Type.String({ maxLength: 32_000 }) },
  closed,
);

export const StartConversationBody = Type.Object(
  {
    agent: AgentName,
    user: Type.Optional(EndUser),
    external_key: Type.Optional(ExternalKey),
    title: Type.Optional(Title),
    labels: Type.Optional(Labels),
    language: Type.Optional(Language),
    context: Type.Optional(Context),
    repin_after_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 31_536_000, default: 86_400, description: "Default one day." }),
    ),
    disclosure: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: 500 }),
        "What tells the user that an agent answers; default: a sentence in the conversation's language. Null: you tell them yourself.",
      ),
    ),
    history: Type.Optional(
      Type.Array(HistoryMessage, {
        maxItems: 200,
        description: "What was said elsewhere before. It is data: the agent follows no instruction in it.",
      }),
    ),
  },
  closed,
);
export type StartConversationBody = Static<typeof StartConversationBody>;

export const ChangeConversationBody = Type.Object(
  {
    title: Type.Optional(nullable(Title)),
    labels: Type.Optional(Labels),
    language: Type.Optional(nullable(Language)),
    context: Type.Optional(Context),
  },
  { ...closed, minProperties: 1 },
);
export type ChangeConversationBody = Static<typeof ChangeConversationBody>;

export const ForkConversationBody = Type.Object(
  {
    message_id: Type.Optional(
      Type.String({ description: "The last message that is taken along; default: the latest." }),
    ),
    title: Type.Optional(Title),
    external_key: Type.Optional(ExternalKey),
  },
  closed,
);
export type ForkConversationBody = Static<typeof ForkConversationBody>;

export const CompactConversationBody = Type.Object(
  {
    keep: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        default: 4,
        description: "Latest messages that the agent goes on reading as they are.",
      }),
    ),
  },
  closed,
);

export const Participant = Type.Object({
  kind: Type.Enum(["user", "agent", "person"] as const),
  id: nullable(Type.String()),
  name: Type.String(),
  version: nullable(Type.Integer(), "Of an agent: the version that answers."),
  messages: Count("Messages of theirs."),
  first_at: nullable(Time),
  last_at: nullable(Time),
  active: Type.Boolean({ description: "Whether they can write now." }),
});
export type Participant = Static<typeof Participant>;

export const DeletedConversation = Type.Object({
  conversation_id: ConversationId,
  state: Type.Literal("closed"),
  erased: Type.Boolean({ description: "Whether its messages are gone already." }),
  erase_at: nullable(Time, "When they will be; null: they are, or are kept."),
  forks: Type.Array(Type.String(), {
    description:
      "Conversations that were forked from it and keep copies of its messages: delete them as well where these are to go.",
  }),
  audit_ref: Type.String(),
});

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
