import type { Answer } from "./answer.ts";
import type { Chat } from "./conversation.ts";

/** Fields by which an answer is said. */
const spoken = ["text", "answer", "reply", "message"];

/** From this novelty on, what was learnt is about something else. */
const strange = 0.9;

/** An answer as it is said in a conversation: its text, else its fields one a line, or that nothing is known. */
export function replyOf({ output, novelty }: Pick<Answer, "output" | "novelty">, { language }: Chat): string {
  if (novelty !== undefined && novelty >= strange) return unknown(language);
  const said = spoken.map((name) => output[name]).find((value) => typeof value === "string" && value !== "");
  if (typeof said === "string") return said;
  const lines = Object.entries(output).map(([name, value]) => `${labelOf(name)}: ${textOf(value)}`);
  return lines.length > 0 ? lines.join("\n") : unknown(language);
}

const labelOf = (name: string): string => {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(", ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

const sentences: Readonly<Record<string, string>> = {
  en: "I do not know: I have found nothing that answers this.",
  de: "Das weiß ich nicht: Ich habe nichts gefunden, was diese Frage beantwortet.",
  fr: "Je ne sais pas : je n'ai rien trouvé qui réponde à cette question.",
  es: "No lo sé: no he encontrado nada que responda a esta pregunta.",
  it: "Non lo so: non ho trovato nulla che risponda a questa domanda.",
  nl: "Dat weet ik niet: ik heb niets gevonden dat deze vraag beantwoordt.",
  pt: "Não sei: não encontrei nada que responda a esta pergunta.",
  pl: "Nie wiem: nie znalazłem niczego, co odpowiada na to pytanie.",
};

const unknown = (language: string | null): string =>
  sentences[(language ?? "en").slice(0, 2).toLowerCase()] ?? (sentences.en as string);
