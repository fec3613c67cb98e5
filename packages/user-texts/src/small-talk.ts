import { type InEvery, type UserLanguage, userLanguages } from "./languages.ts";
import { asksForPerson } from "./person.ts";

/** What nobody has to look up. */
export type SmallTalk = "greeting" | "thanks" | "person";

interface Rules {
  /** The whole message is made of these and of `polite` ones. */
  readonly greeting: RegExp;
  readonly thanks: RegExp;
  readonly polite: RegExp;
}

const rules: InEvery<Rules> = {
  en: {
    greeting: /\b(?:hello|hi|hey|good (?:morning|afternoon|evening|day))\b/g,
    thanks: /\b(?:thank you(?: (?:so|very) much)?|thanks(?: a lot| so much)?|many thanks|thx|cheers)\b/g,
    polite: /\b(?:there|all|everyone|everybody|again|ok|okay|great|perfect|for your help|that helped|bye|goodbye)\b/g,
  },
  de: {
    greeting: /\b(?:hallo|hi|hey|moin|servus|grüezi|grüß gott|guten (?:morgen|tag|abend))(?!\p{L})/gu,
    thanks: /\b(?:danke(?: schön| sehr)?|dankeschön|vielen dank|herzlichen dank|besten dank)(?!\p{L})/gu,
    polite: /\b(?:zusammen|alle|nochmal|ok|okay|super|prima|perfekt|für ihre hilfe|für die hilfe|tschüss)(?!\p{L})/gu,
  },
  fr: {
    greeting: /(?<!\p{L})(?:bonjour|salut|bonsoir|coucou)(?!\p{L})/gu,
    thanks: /(?<!\p{L})(?:merci(?: beaucoup| bien)?|mille mercis)(?!\p{L})/gu,
    polite: /(?<!\p{L})(?:à tous|encore|ok|parfait|super|pour votre aide|au revoir)(?!\p{L})/gu,
  },
  es: {
    greeting: /(?<!\p{L})(?:hola|buenos días|buenas(?: tardes| noches)?)(?!\p{L})/gu,
    thanks: /(?<!\p{L})(?:(?:muchas |mil )?gracias)(?!\p{L})/gu,
    polite: /(?<!\p{L})(?:a todos|otra vez|ok|perfecto|genial|por (?:su|la|tu) ayuda|adiós)(?!\p{L})/gu,
  },
  ja: {
    greeting: /こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして|もしもし/g,
    thanks: /(?:どうも)?ありがとう(?:ございます|ございました)?|感謝します|助かりました/g,
    polite: /みなさん|どうも|はい/g,
  },
};

const longest = 160;

/** Null: it asks something. A message that greets and asks is none. */
export function smallTalkIn(text: string): SmallTalk | null {
  if (asksForPerson(text)) return "person";
  if (text.length > longest) return null;
  const said = plain(text);
  if (said === "") return null;
  const found = (kind: "thanks" | "greeting") => userLanguages.some((language) => isIn(said, kind, language));
  return (["thanks", "greeting"] as const).find(found) ?? null;
}

const plain = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}'’ー-]+/gu, " ")
    .trim();

/** Polite words of any language count for none of them alone. */
function isIn(text: string, kind: "thanks" | "greeting", language: UserLanguage): boolean {
  const { greeting, thanks, polite } = rules[language];
  const own = kind === "thanks" ? thanks : greeting;
  if (text.search(own) < 0) return false;
  return [own, greeting, polite].reduce((rest, words) => rest.replace(words, ""), text).trim() === "";
}
