import type { InEvery } from "./languages.ts";

/** What the built-in model says besides what it quotes. */
export interface ReplyTexts {
  readonly nothing: string;
  /** Before links to pages. */
  readonly unsure: string;
  /** `{0}`: the word as it was written, `{1}`: the word that was looked for instead. */
  readonly readAs: string;
  readonly greeting: string;
  readonly welcome: string;
  /** A person is asked for, and no tool hands over. */
  readonly person: string;
  /** While the hand-over tool is called, and after it. */
  readonly handedOver: string;
}

export const replyTexts: InEvery<ReplyTexts> = {
  en: {
    nothing: "I have found nothing about this. Try other words, or ask for a person.",
    unsure: "I am not sure. The answer may be on one of these pages:",
    readAs: "I searched for “{1}” instead of “{0}”.",
    greeting: "Hello! What would you like to know?",
    welcome: "You are welcome. Is there anything else?",
    person: "Of course. Choose “Talk to a person”, or tell us how you can be reached.",
    handedOver: "A person will answer you here.",
  },
  de: {
    nothing: "Dazu habe ich nichts gefunden. Versuchen Sie andere Wörter, oder fragen Sie nach einem Menschen.",
    unsure: "Ich bin nicht sicher. Vielleicht steht die Antwort auf einer dieser Seiten:",
    readAs: "Ich habe nach „{1}“ statt „{0}“ gesucht.",
    greeting: "Guten Tag! Was möchten Sie wissen?",
    welcome: "Gern geschehen. Kann ich sonst noch helfen?",
    person: "Natürlich. Wählen Sie „Mit einem Menschen sprechen“, oder schreiben Sie, wie wir Sie erreichen.",
    handedOver: "Ein Mensch antwortet Ihnen hier.",
  },
  fr: {
    nothing: "Je n’ai rien trouvé à ce sujet. Essayez d’autres mots ou demandez à parler à une personne.",
    unsure: "Je ne suis pas sûr. La réponse se trouve peut-être sur l’une de ces pages :",
    readAs: "J’ai cherché « {1} » au lieu de « {0} ».",
    greeting: "Bonjour ! Que souhaitez-vous savoir ?",
    welcome: "Je vous en prie. Puis-je encore vous aider ?",
    person: "Bien sûr. Choisissez « Parler à une personne » ou indiquez comment vous joindre.",
    handedOver: "Une personne va vous répondre ici.",
  },
  es: {
    nothing: "No he encontrado nada sobre esto. Pruebe con otras palabras o pida hablar con una persona.",
    unsure: "No estoy seguro. Quizá la respuesta esté en una de estas páginas:",
    readAs: "He buscado «{1}» en lugar de «{0}».",
    greeting: "¡Hola! ¿Qué le gustaría saber?",
    welcome: "De nada. ¿Puedo ayudarle en algo más?",
    person: "Por supuesto. Elija «Hablar con una persona» o díganos cómo podemos localizarle.",
    handedOver: "Una persona le responderá aquí.",
  },
  ja: {
    nothing: "これについては何も見つかりませんでした。別の言葉で試すか、担当者をお呼びください。",
    unsure: "確かではありませんが、次のページに答えがあるかもしれません。",
    readAs: "「{0}」の代わりに「{1}」を検索しました。",
    greeting: "こんにちは。どのようなご質問でしょうか。",
    welcome: "どういたしまして。ほかにご質問はありますか。",
    person: "承知しました。「担当者と話す」を選ぶか、ご連絡先をお知らせください。",
    handedOver: "担当者がこちらでお答えします。",
  },
};
