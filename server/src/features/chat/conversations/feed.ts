import { EventFeed, type FeedParts, type Followed, type News } from "../../../kernel/event-feed.ts";
import type { Ending } from "../../../kernel/event-stream.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { ChatEvent, ChatEventType } from "../schemas.ts";
import { eventJson } from "./event-store.ts";

/** What happens in conversations, for followers in this process, whichever process did it. */
export interface ChatEventsPort {
  /**
   * In order, each event once. Ends with `over` once the conversation is closed and every event was sent, or it is
   * erased; with nothing when `signal` is aborted or the process drains.
   */
  follow(scope: Scope, conversation: string, after: number, signal: AbortSignal): AsyncIterable<ChatEvent, Ending>;
  stop(): void;
}

export interface ChatFeedParts extends Pick<FeedParts<ChatEvent>, "onChange" | "report" | "pollMs"> {
  readonly db: Statements;
  /** Followers at a time; default 2,000. */
  readonly most?: number;
}

export function createChatFeed({ db, most = 2_000, ...parts }: ChatFeedParts): ChatEventsPort {
  const look = (followed: readonly Followed[], take: number) => readNews(db, followed, take);
  return new EventFeed({ ...parts, look, most, name: "conversations" });
}

interface NewsRow {
  readonly place: number;
  readonly ended: boolean;
  readonly newest: number;
  readonly sequence: number | null;
  readonly type: ChatEventType;
  readonly data: string;
  readonly created_at: Date;
}

/** All conversations in one statement. A missing one has ended. */
async function readNews(db: Statements, followed: readonly Followed[], take: number): Promise<News<ChatEvent>[]> {
  const rows = await db.query<NewsRow>(
    `select f.place::int - 1 as place, c.id is null or c.state = 'closed' as ended, coalesce(c.sequence, 0) as newest,
       e.sequence, e.type, e.data, e.created_at
     from unnest($1::text[], $2::text[], $3::text[], $4::int[]) with ordinality
       as f(organization, environment, conversation, after, place)
     left join chat_conversations c
       on c.organization = f.organization and c.environment = f.environment and c.id = f.conversation
     left join lateral (
       select sequence, type, data, created_at from chat_events
       where organization = f.organization and environment = f.environment and conversation = f.conversation
         and sequence > f.after and c.sequence > f.after
       order by sequence limit $5) e on true
     where e.sequence is not null or c.id is null or c.state = 'closed'
     order by f.place, e.sequence`,
    [
      followed.map(({ scope }) => scope.organization),
      followed.map(({ scope }) => scope.environment),
      followed.map(({ id }) => id),
      followed.map(({ after }) => after),
      take,
    ],
  );
  return [...Map.groupBy(rows, ({ place }) => place).values()].map((ofOne) => {
    const [{ place, ended, newest }] = ofOne as [NewsRow];
    return { place, ended, newest, events: ofOne.flatMap(eventOf) };
  });
}

const eventOf = ({ sequence, type, data, created_at }: NewsRow): ChatEvent[] =>
  sequence === null ? [] : [{ sequence, type, time: created_at.toISOString(), data: eventJson({ data }, "data") }];
