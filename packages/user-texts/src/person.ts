import { type InEvery, userLanguages } from "./languages.ts";

// Whether somebody asks for a person, for the built-in model and the rule `asked` of agent files alike. Letters are without accents.

const one = "(?:an? |some |the )?(?:real |actual |live |human )*";
const human =
  "(?:person|human(?: being)?|human agent|agent|representative|operator|employee|staff member|colleague|someone|somebody)";
const asked = "(?:person|human(?: being)?|human agent|live agent|representative|operator)";
const echten = "(?:echten |richtigen |menschlichen )*";
const mensch =
  "(?:mensch(?:en)?|person|mitarbeiter(?:in|n)?|(?:kunden)?berater(?:in)?|kolleg(?:e|en|in)|jemand(?:em|en)?)";
const verlangt = "(?:mensch(?:en)?|mitarbeiter(?:in)?|(?:kunden)?berater(?:in)?)";
const personne =
  "(?:personne|humain|etre humain|conseill(?:er|ere)|agent humain|operat(?:eur|rice)|employee?|quelqu['’]un)";
const humain = "(?:personne|humain|etre humain|conseill(?:er|ere))(?: s['’]il vous plait| svp)?";
const persona = "(?:persona|humano|ser humano|agente humano|operadora?|empleado|empleada|asesora?|alguien)";
const humano = "(?:persona|humano|ser humano|agente humano|operadora?|asesora?)(?: real)?(?: por favor)?";

/** Each stands somewhere in the message, or is all of it. */
const wishes: InEvery<readonly RegExp[]> = {
  en: [
    new RegExp(`\\b(?:speak|talk|chat) (?:to|with) ${one}${human}\\b(?! about how)`),
    new RegExp(`\\b(?:connect|transfer|put|pass|hand) me (?:over |through |on )?(?:to|with) ${one}${human}\\b`),
    new RegExp(`\\b(?:get|give|want|need|have) (?:me )?${one}${asked}(?: please| now)*$`),
    new RegExp(`^${one}(?:${asked}|agent)(?: please| now)*$`),
  ],
  de: [
    new RegExp(`mit (?:einem |einer |ihrem |ihrer )?${echten}${mensch} (?:sprechen|reden|schreiben|verbinden|chatten)`),
    new RegExp(`verbinden sie mich (?:bitte )?mit (?:einem |einer )?${echten}${mensch}`),
    new RegExp(`\\b(?:will|mochte|brauche) (?:bitte )?(?:einen? )?${echten}${verlangt}(?: sprechen)?(?: bitte)?$`),
    new RegExp(`^(?:bitte )?(?:einen? |mit einem )?${echten}${verlangt}(?: bitte)?$`),
  ],
  fr: [
    new RegExp(`(?:parler|discuter|echanger)(?: a| avec) (?:une? )?(?:vraie? )?${personne}`),
    new RegExp(`(?:passez|mettez)[- ]moi (?:en contact avec |en relation avec )?(?:une? )?(?:vraie? )?${personne}`),
    new RegExp(`(?:^|\\b(?:veux|voudrais|souhaite) )(?:une? )?(?:vraie? )?${humain}$`),
  ],
  es: [
    new RegExp(`(?:hablar|chatear|comunicarme) con (?:una? )?${persona}`),
    new RegExp(`(?:paseme|pasame|pongame|conecteme) con (?:una? )?${persona}`),
    new RegExp(`(?:^|\\b(?:quiero|quisiera|necesito) )(?:una? )?${humano}$`),
  ],
  ja: [
    /(?:担当者|オペレーター|スタッフ|人間|係の(?:方|人))(?:の方)?(?:と|に)(?:話|代わ|つな|繋|連絡|相談)/,
    /(?:担当者|オペレーター|人間)を?(?:お願い|呼)/,
  ],
};

const longest = 4_000;

/** Kana keep their marks. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/(?!\p{Script_Extensions=Hiragana})\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}'’ー-]+/gu, " ")
    .trim()
    .replace(/^(?:please|bitte|por favor) | (?:please|bitte)$/g, "");

/** Whether a message asks for a person, in any of the languages. */
export function asksForPerson(text: string): boolean {
  const said = plain(text.slice(0, longest));
  return userLanguages.some((language) => wishes[language].some((wish) => wish.test(said)));
}
