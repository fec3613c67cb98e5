import { type ConversationFilter, listConversations, openConversation } from "../../api/chat.ts";
import { listChannels } from "../../api/chat-channels.ts";
import { prefetch } from "../../api/queries.ts";
import { listTeams } from "../../api/teams.ts";
import type { LoaderContext } from "../context.ts";
import type { ListSearch, View } from "./search.ts";

const filters: Readonly<Record<View, ConversationFilter>> = {
  open: { state: "open" },
  people: { state: "open", handler: "person" },
  closed: { state: "closed" },
  all: {},
};

/** What the list shows for an address. */
export const conversationsOf = ({ view = "open", agent, channel, team, handover_team, ...search }: ListSearch) =>
  listConversations({ limit: 25, ...filters[view], ...lists({ agent, channel, team, handover_team }), ...search });
/** Those that wait for a person, whatever the view. */
export const waitingOf = ({
  view: _view,
  cursor: _cursor,
  agent,
  channel,
  team,
  handover_team,
  ...search
}: ListSearch) =>
  listConversations({
    limit: 50,
    handler: "waiting",
    ...lists({ agent, channel, team, handover_team }),
    ...search,
  });

type Several = Pick<ListSearch, "agent" | "channel" | "team" | "handover_team">;
const lists = ({ agent, channel, team, handover_team }: Several): ConversationFilter => ({
  ...(handover_team === undefined ? {} : { handover_team: [handover_team] }),
  ...(team === undefined ? {} : { team: [team] }),
  ...(agent === undefined ? {} : { agent: [agent] }),
  ...(channel === undefined ? {} : { channel: [channel] }),
});

export const loadList = ({ queryClient }: LoaderContext, search: ListSearch) =>
  prefetch(queryClient, conversationsOf(search), waitingOf(search));
export const loadOne = ({ queryClient }: LoaderContext, conversation: string) =>
  prefetch(queryClient, openConversation(conversation));
export const loadChannels = ({ queryClient }: LoaderContext) => prefetch(queryClient, listChannels());
export const loadTeams = ({ queryClient }: LoaderContext) => prefetch(queryClient, listTeams());
