/** The languages that every text to end users has. */
export const userLanguages = ["en", "de", "fr", "es", "ja"] as const;
export type UserLanguage = (typeof userLanguages)[number];

/** A text in every language: a missing one does not compile. */
export type InEvery<T> = Readonly<Record<UserLanguage, T>>;

/** The first of some language tags (BCP 47) that the catalogue has; null: none. */
export function languageOfTag(...tags: readonly (string | null | undefined)[]): UserLanguage | null {
  for (const tag of tags) {
    const [primary] = (tag ?? "").toLowerCase().split("-");
    const known = userLanguages.find((one) => one === primary);
    if (known) return known;
  }
  return null;
}

/** Words that stand in most sentences of a language, and in few of the others. */
const usual: Readonly<Record<Exclude<UserLanguage, "ja">, ReadonlySet<string>>> = {
  en: new Set(
    "the and is are what how where when which who why can could do does did i my me you your it this that of for with please hello hi thanks thank to not would want need have has a an there if".split(
      " ",
    ),
  ),
  de: new Set(
    "der die das und ist sind was wie wo wann welche welcher welches wer warum kann können ich mein meine mir mich sie ihr ihre es dieser diese dieses von für mit bitte hallo danke zu nicht möchte will brauche haben habe hat ein eine einen einem einer gibt wenn den dem auf im".split(
      " ",
    ),
  ),
  fr: new Set(
    "le la les et est sont que quoi quel quelle quels quelles comment où quand qui pourquoi peut puis je mon ma mes moi vous votre vos il ce cette ces de des du pour avec bonjour salut merci pas voudrais veux besoin ai avez un une y si dans au aux sur".split(
      " ",
    ),
  ),
  es: new Set(
    "el la los las y es son qué que cómo como dónde donde cuándo cuando cuál cual quién quien puedo puede yo mi mis me usted su sus esto este esta de del para con hola gracias no quiero quisiera necesito tengo tiene un una hay si en por favor al".split(
      " ",
    ),
  ),
};

/** The language of a sentence by its commonest words; null where none stands out. */
export function languageOfText(text: string): UserLanguage | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = (Object.keys(usual) as (keyof typeof usual)[]).map(
    (language) => [language, words.filter((word) => usual[language].has(word)).length] as const,
  );
  const [first, second] = counts.sort(([, a], [, b]) => b - a);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : null;
}

/** The conversation's language, else that of what was written, else English. */
export const languageFor = (tag: string | null | undefined, written = ""): UserLanguage =>
  languageOfTag(tag) ?? languageOfText(written) ?? "en";

/** Replaces `{0}`, `{1}` … by the values. */
export const filled = (text: string, ...values: readonly string[]): string =>
  text.replace(/\{(\d)\}/g, (whole, at: string) => values[Number(at)] ?? whole);
