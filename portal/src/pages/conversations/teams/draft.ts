import type { Team, TeamBody } from "../../../api/teams.ts";

// A team as its form holds it: texts that people write, and what becomes of them.

export const days = [
  ["mon", "Monday"],
  ["tue", "Tuesday"],
  ["wed", "Wednesday"],
  ["thu", "Thursday"],
  ["fri", "Friday"],
  ["sat", "Saturday"],
  ["sun", "Sunday"],
] as const;
export type Day = (typeof days)[number][0];

export interface OutsideText {
  readonly language: string;
  readonly text: string;
}
export type SavedReply = Team["saved_replies"][number];

export interface Draft {
  readonly name: string;
  readonly title: string;
  readonly members: readonly string[];
  readonly always: boolean;
  readonly timeZone: string;
  /** Times of each day, such as `09:00-12:00, 13:00-17:00`; empty: closed. */
  readonly weekly: Readonly<Record<Day, string>>;
  /** Days with commas: `2026-12-25`. */
  readonly holidays: string;
  readonly outside: readonly OutsideText[];
  readonly assignment: Team["assignment"];
  /** In minutes; empty: no service level. */
  readonly waiting: string;
  readonly firstAnswer: string;
  readonly replies: readonly SavedReply[];
}

const usual = "09:00-17:00";

export function emptyDraft(timeZone: string): Draft {
  return {
    name: "",
    title: "",
    members: [],
    always: true,
    timeZone,
    weekly: { mon: usual, tue: usual, wed: usual, thu: usual, fri: usual, sat: "", sun: "" },
    holidays: "",
    outside: [],
    assignment: "claim",
    waiting: "",
    firstAnswer: "",
    replies: [],
  };
}

export function draftOf(team: Team, timeZone: string): Draft {
  const { hours, targets } = team;
  const empty = emptyDraft(timeZone);
  const timesOf = (day: Day): string => (hours?.weekly[day] ?? []).map(({ from, to }) => `${from}-${to}`).join(", ");
  return {
    name: team.team,
    title: team.title,
    members: team.members.map(({ member_id }) => member_id),
    always: hours === null,
    timeZone: hours?.time_zone ?? empty.timeZone,
    weekly: hours === null ? empty.weekly : weekOf(timesOf),
    holidays: hours?.holidays?.join(", ") ?? "",
    outside: Object.entries(team.outside).map(([language, text]) => ({ language, text })),
    assignment: team.assignment,
    waiting: minutesText(targets.waiting_seconds),
    firstAnswer: minutesText(targets.first_answer_seconds),
    replies: team.saved_replies,
  };
}

const weekOf = (textOf: (day: Day) => string): Record<Day, string> => ({
  mon: textOf("mon"),
  tue: textOf("tue"),
  wed: textOf("wed"),
  thu: textOf("thu"),
  fri: textOf("fri"),
  sat: textOf("sat"),
  sun: textOf("sun"),
});

const minutesText = (seconds: number | undefined): string => (seconds === undefined ? "" : String(seconds / 60));
const secondsOf = (minutes: string): number => Math.round(Number(minutes) * 60);

/** What is wrong with a form before the service has seen it, by its place: `/hours/weekly/mon`. */
export type Faults = ReadonlyMap<string, string>;

const times = /^(\d{1,2}:\d{2})\s*[-–]\s*(\d{1,2}:\d{2})$/;
const padded = (time: string): string => time.padStart(5, "0");

/** Times of a day; null: no text of this form. */
function timesIn(text: string): { from: string; to: string }[] | null {
  const parts = listIn(text).map((part) => times.exec(part));
  if (parts.includes(null)) return null;
  return parts.flatMap((part) => (part?.[1] && part[2] ? [{ from: padded(part[1]), to: padded(part[2]) }] : []));
}

const listIn = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

export function faultsOf(draft: Draft): Faults {
  const faults = new Map<string, string>();
  if (!draft.always)
    for (const [day] of days)
      if (timesIn(draft.weekly[day]) === null)
        faults.set(`/hours/weekly/${day}`, "write times such as 09:00-12:00, 13:00-17:00, or nothing");
  const languages = draft.outside.map(({ language }) => language.trim());
  for (const [at, language] of languages.entries())
    if (language === "") faults.set(`/outside/${at}`, "name the language, such as en or de-AT");
    else if (languages.indexOf(language) !== at) faults.set(`/outside/${at}`, `${language} is there already`);
  return faults;
}

/** What the service takes. Saved only where `faultsOf` finds nothing. */
export function bodyOf(draft: Draft): TeamBody {
  const targets = {
    ...(draft.waiting === "" ? {} : { waiting_seconds: secondsOf(draft.waiting) }),
    ...(draft.firstAnswer === "" ? {} : { first_answer_seconds: secondsOf(draft.firstAnswer) }),
  };
  return {
    title: draft.title.trim(),
    members: [...draft.members],
    hours: hoursOf(draft),
    outside: Object.fromEntries(draft.outside.map(({ language, text }) => [language.trim(), text.trim()])),
    assignment: draft.assignment,
    targets,
    saved_replies: draft.replies.map(({ name, title, text }) => ({ name: name.trim(), title: title.trim(), text })),
  };
}

function hoursOf({ always, timeZone, weekly, holidays }: Draft): TeamBody["hours"] {
  if (always) return null;
  const open = days.flatMap(([day]) => {
    const found = timesIn(weekly[day]) ?? [];
    return found.length === 0 ? [] : [[day, found] as const];
  });
  const off = listIn(holidays);
  return {
    time_zone: timeZone.trim(),
    weekly: Object.fromEntries(open),
    ...(off.length === 0 ? {} : { holidays: off }),
  };
}

/** What the service or the form found at a place or inside it; null: nothing. Texts outside the hours are named by their language. */
export function faultAt(
  place: string,
  own: Faults,
  found: readonly { readonly pointer?: string; readonly detail: string }[],
): string | null {
  const inside = found.find(({ pointer }) => pointer === place || pointer?.startsWith(`${place}/`));
  return own.get(place) ?? inside?.detail ?? null;
}
