import { filled, languageOfTag, noticeTexts } from "@aos/user-texts";
import type { Row } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type KnownTeam, opensAt } from "../../admin/public.ts";
import { languageIn } from "../conversations/language.ts";

// Texts for users when people take over.

type Talk = Pick<Row<"chat_conversations">, "id" | "language">;

/** When a team opens, by its clock, in a language. */
function openingText({ hours }: Pick<KnownTeam, "hours">, opens: number, language: string): string {
  const timeZone = hours?.time_zone ?? "UTC";
  const format = {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  return new Intl.DateTimeFormat(language, { ...format, timeZoneName: "short" }).format(opens);
}

/** The text for a user whose conversation waits for a team: outside its hours what its settings say. */
export async function waitingText(ctx: WriteContext, team: KnownTeam, talk: Talk): Promise<string> {
  const language = await languageIn(ctx, talk);
  const opens = opensAt(team.hours, ctx.now);
  if (opens === null) return filled(noticeTexts[language].teamAsked, team.title);
  const tag = talk.language ?? language;
  const own = ownText(team, tag);
  const text = own ?? team.outside[language];
  const at = openingText(team, opens, own !== undefined || languageOfTag(tag) !== null ? tag : language);
  return text === undefined
    ? filled(noticeTexts[language].teamClosed, team.title, at)
    : withPlaceholders(text, { team: team.title, opens: at });
}

const ownText = ({ outside }: Pick<KnownTeam, "outside">, tag: string): string | undefined =>
  outside[tag] ?? outside[tag.split("-")[0] ?? tag];

/** In texts of a team's settings. */
const withPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{\s*(team|opens)\s*\}\}/g, (_match, name: string) => values[name] ?? "");

export const takenText = async (ctx: WriteContext, talk: Talk, name: string): Promise<string> =>
  filled(noticeTexts[await languageIn(ctx, talk)].taken, name);
