/** What tells a user that an agent answers (EU AI Act, Article 50), by language. */
const sentences: Readonly<Record<string, string>> = {
  en: "You are chatting with an AI agent.",
  de: "Sie schreiben mit einem KI-Agenten.",
  fr: "Vous échangez avec un agent IA.",
  es: "Está conversando con un agente de IA.",
  it: "Stai parlando con un agente di intelligenza artificiale.",
  nl: "U chat met een AI-agent.",
  pt: "Está a conversar com um agente de IA.",
  pl: "Rozmawiasz z agentem AI.",
};

/** The disclosure in a language by its tag (`de-AT`); English where there is no sentence in it. */
export function disclosureIn(language: string | null | undefined): string {
  const [primary = "en"] = (language ?? "en").toLowerCase().split("-");
  return sentences[primary] ?? (sentences.en as string);
}
