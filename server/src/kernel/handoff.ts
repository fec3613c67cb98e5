import { asksForPerson } from "@aos/user-texts";

// When an agent hands a conversation to a team of people, as its file says. Rules are matched by the service, not by a model: what users write can make
// a rule match, and chooses no team that the file does not name.

export const handoffRules = ["asked", "unsure", "topic", "sentiment", "value", "limits"] as const;
export type HandoffRuleName = (typeof handoffRules)[number];

/** Why a conversation was handed to people: a rule, the agent by its tool, or a caller. */
export const handoffCauses = [...handoffRules, "agent", "caller"] as const;
export type HandoffCause = (typeof handoffCauses)[number];

export interface HandoffRule {
  readonly when: HandoffRuleName;
  readonly team: string;
  /** Of `unsure`: answers in a row. */
  readonly times?: number;
  /** Of `topic`. */
  readonly keywords?: readonly string[];
  /** Of `value`: a member of the conversation's context; left out: amounts of money in the message. */
  readonly field?: string;
  /** Of `value`. */
  readonly above?: number;
}

/** What the agent's file allows. */
export interface HandoffFile {
  /** Teams that the agent may choose, and what each is for. */
  readonly teams?: readonly { readonly team: string; readonly for: string }[];
  readonly rules?: readonly HandoffRule[];
}

/** The input of the step that hands a conversation over. */
export interface HandoffCall {
  readonly cause: HandoffCause;
  readonly team: string;
  readonly reason: string;
}

/** Name of the tool by which an agent hands its conversation over, and of the step that does it. */
export const handOverTool = "hand_over";

/** Answers in a row that count as unsure where the rule does not say. */
export const usualUnsure = 2;

export const teamsIn = ({ teams = [], rules = [] }: HandoffFile): string[] => [
  ...new Set([...teams, ...rules].map(({ team }) => team)),
];

/** Whether a file allows a hand-over: the agent chooses among its teams, a rule has its own. */
export const allowsHandoff = ({ teams = [], rules = [] }: HandoffFile, { cause, team }: HandoffCall): boolean =>
  cause === "agent"
    ? teams.some((one) => one.team === team)
    : rules.some((rule) => rule.when === cause && rule.team === team);

export interface Asking {
  readonly message: string;
  readonly situation: Readonly<Record<string, unknown>>;
}

/** The first rule that what the user wrote matches, before the agent answers. */
export function ruleForMessage({ rules = [] }: HandoffFile, asking: Asking): HandoffCall | undefined {
  for (const rule of rules) {
    const reason = whyMatched(rule, asking);
    if (reason !== null) return { cause: rule.when, team: rule.team, reason };
  }
  return undefined;
}

/** The rule for an answer that is unsure, after so many unsure ones before it. */
export function ruleForUnsure({ rules = [] }: HandoffFile, before: number): HandoffCall | undefined {
  const rule = rules.find(({ when, times = usualUnsure }) => when === "unsure" && before + 1 >= times);
  return rule && { cause: "unsure", team: rule.team, reason: `The agent was unsure ${before + 1} times in a row.` };
}

/** The rule for a run that reached a limit. */
export function ruleForLimits({ rules = [] }: HandoffFile, code: string): HandoffCall | undefined {
  const rule = limitCodes.has(code) ? rules.find(({ when }) => when === "limits") : undefined;
  return rule && { cause: "limits", team: rule.team, reason: `The agent reached a limit: ${code}.` };
}

const limitCodes: ReadonlySet<string> = new Set(["step_limit", "token_limit", "cost_limit", "budget_exhausted"]);

/** Whether no search was sure of an answer: its `outcome` is `unsure` or `nothing`. Without a search nothing is known. */
export function foundNoAnswer(results: readonly unknown[]): boolean {
  const searches = results.filter(
    (one): one is { readonly outcome?: unknown; readonly answered?: unknown } =>
      typeof one === "object" && one !== null && Array.isArray((one as { chunks?: unknown }).chunks),
  );
  const isUnsure = ({ outcome, answered }: (typeof searches)[number]): boolean =>
    outcome === undefined ? answered === false : outcome !== "answered";
  return searches.length > 0 && searches.every(isUnsure);
}

function whyMatched({ when, keywords = [], field, above = 0 }: HandoffRule, { message, situation }: Asking) {
  if (when === "asked") return asksForPerson(message) ? "The user asks for a person." : null;
  if (when === "sentiment") return isUpset(message) ? "The user sounds upset." : null;
  if (when === "topic") {
    const found = keywords.find((keyword) => holdsWord(plain(message), plain(keyword)));
    return found === undefined ? null : `The user writes about “${found}”.`;
  }
  if (when !== "value") return null;
  const values = field === undefined ? amountsIn(message) : [Number(situation[field] ?? Number.NaN)];
  const most = Math.max(...values.filter((value) => Number.isFinite(value)));
  if (!(most > above)) return null;
  return `${field === undefined ? "An amount in the message" : field} is ${most}, above ${above}.`;
}

/** Without accents; kana keep their marks. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/(?!\p{Script_Extensions=Hiragana})\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase();

const isWordLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u.test(character);

/** The beginning of a word, so that `refund` is found in `refunds`; in scripts without spaces anywhere. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordLetter(text[at - 1]) || !isWordLetter(word[0])) return true;
  return false;
}

const upsetWords =
  /\b(unacceptable|ridiculous|outrageous|terrible|horrible|awful|useless|furious|angry|fed up|scam|fraud|rip-?off|lawyer|sue you|worst|unverschamt(heit)?|frechheit|unmoglich|katastrophe|wutend|betrug|anwalt|inacceptable|scandaleux|honteux|furieux|arnaque|avocat|inaceptable|vergonzoso|ridiculo|furios[oa]|estafa|abogado)\b|最悪|ふざけ|怒って|詐欺|許せない/u;

/** Words and signs of anger: a list, no judgement. */
export function isUpset(message: string): boolean {
  if (upsetWords.test(plain(message)) || /!{3,}/.test(message)) return true;
  const letters = message.match(/\p{L}/gu) ?? [];
  const capitals = letters.filter((letter) => letter !== letter.toLowerCase());
  return letters.length >= 15 && capitals.length / letters.length > 0.8;
}

const amounts =
  /(?:[$€£¥]\s?|\b(?:usd|eur|gbp|chf|jpy)\s?)(\d[\d.,' ]{0,40})|(?<![\d.,'])(\d[\d.,']{0,40})\s?(?:[$€£¥円]|(?:usd|eur|euros?|gbp|chf|jpy|dollars?|pounds?)\b)/giu;

/** Amounts of money in a text, in whatever currency. */
export const amountsIn = (message: string): number[] =>
  [...message.matchAll(amounts)].map(([, before, after]) => numberIn(before ?? after ?? ""));

/** `1,234.50`, `1.234,50` and `1 234` alike: the last sign with one or two digits behind it is the decimal one. */
function numberIn(text: string): number {
  const trimmed = text.replaceAll(/[' ]/g, "").replace(/[.,]+$/, "");
  const [, whole = "", decimals] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(trimmed) ?? [];
  return Number(`${whole.replaceAll(/[.,]/g, "")}.${decimals ?? "0"}`);
}
