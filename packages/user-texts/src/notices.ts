import type { InEvery } from "./languages.ts";

/** What the service says about a reply. */
export interface NoticeTexts {
  /** Before the first reply (EU AI Act, Article 50). */
  readonly disclosure: string;
  readonly failed: string;
  readonly blocked: string;
  readonly rejected: string;
  readonly expired: string;
  readonly cancelled: string;
  readonly abandoned: string;
  readonly withheld: string;
  readonly linksRemoved: string;
  /** What waits for approval, as the person sees it who waits. */
  readonly approval: string;
  readonly awaiting: string;
  readonly withPerson: string;
  /** `{0}`: the person. */
  readonly taken: string;
  /** People hand the conversation back to its agent. */
  readonly returned: string;
  readonly otherAgent: string;
  readonly personAsked: string;
  /** `{0}`: the team. */
  readonly teamAsked: string;
  /** `{0}`: the team, `{1}`: when it opens. */
  readonly teamClosed: string;
  /** The channel of the conversation has stopped. */
  readonly notAnswered: string;
  readonly versionChanged: string;
  /** Before a list of documents. */
  readonly sources: string;
}

export const noticeTexts: InEvery<NoticeTexts> = {
  en: {
    disclosure: "You are chatting with an AI agent.",
    failed: "The agent could not answer this. Send the message again, or ask for a person.",
    blocked: "This was not done: a rule of this service does not allow it.",
    rejected: "This was not done: the people who were asked did not approve it.",
    expired: "This was not done: nobody approved it in time.",
    cancelled: "This answer was stopped.",
    abandoned: "This was not finished: the program that asked for it did not return what its functions gave in time.",
    withheld: "The answer is withheld: nobody has checked it.",
    linksRemoved: "Links to other sites were removed from this answer.",
    approval: "A person has to approve the next step.",
    awaiting: "People who may approve are asked before this goes on.",
    withPerson: "A person answers this conversation.",
    taken: "{0} answers from now on.",
    returned: "An AI agent answers from now on.",
    otherAgent: "Another AI agent answers from now on.",
    personAsked: "A person was asked to take over.",
    teamAsked: "{0} will answer here. Please wait a moment.",
    teamClosed: "{0} is not available now and will answer here from {1} on.",
    notAnswered: "This message cannot be answered here at the moment.",
    versionChanged: "Another version of the AI agent answers now.",
    sources: "Sources:",
  },
  de: {
    disclosure: "Sie schreiben mit einem KI-Agenten.",
    failed:
      "Der Agent konnte das nicht beantworten. Senden Sie die Nachricht erneut, oder fragen Sie nach einem Menschen.",
    blocked: "Das wurde nicht ausgeführt: Eine Regel dieses Dienstes lässt es nicht zu.",
    rejected: "Das wurde nicht ausgeführt: Die gefragten Personen haben es nicht freigegeben.",
    expired: "Das wurde nicht ausgeführt: Niemand hat es rechtzeitig freigegeben.",
    cancelled: "Diese Antwort wurde angehalten.",
    abandoned:
      "Das wurde nicht fertig: Das Programm, das gefragt hat, hat die Ergebnisse seiner Funktionen nicht rechtzeitig geliefert.",
    withheld: "Die Antwort wird zurückgehalten: Niemand hat sie geprüft.",
    linksRemoved: "Links zu anderen Websites wurden aus dieser Antwort entfernt.",
    approval: "Den nächsten Schritt muss ein Mensch freigeben.",
    awaiting: "Bevor es weitergeht, wird um Freigabe gebeten.",
    withPerson: "In dieser Unterhaltung antwortet ein Mensch.",
    taken: "Ab jetzt antwortet {0}.",
    returned: "Ab jetzt antwortet ein KI-Agent.",
    otherAgent: "Ab jetzt antwortet ein anderer KI-Agent.",
    personAsked: "Ein Mensch wurde gebeten, zu übernehmen.",
    teamAsked: "{0} antwortet Ihnen hier. Bitte warten Sie einen Moment.",
    teamClosed: "{0} ist gerade nicht erreichbar und antwortet hier ab {1}.",
    notAnswered: "Diese Nachricht kann hier zurzeit nicht beantwortet werden.",
    versionChanged: "Jetzt antwortet eine andere Version des KI-Agenten.",
    sources: "Quellen:",
  },
  fr: {
    disclosure: "Vous échangez avec un agent IA.",
    failed: "L’agent n’a pas pu répondre. Renvoyez le message ou demandez à parler à une personne.",
    blocked: "Cela n’a pas été fait : une règle de ce service ne le permet pas.",
    rejected: "Cela n’a pas été fait : les personnes consultées ne l’ont pas approuvé.",
    expired: "Cela n’a pas été fait : personne ne l’a approuvé à temps.",
    cancelled: "Cette réponse a été arrêtée.",
    abandoned:
      "Cela n’a pas été terminé : le programme demandeur n’a pas renvoyé à temps les résultats de ses fonctions.",
    withheld: "La réponse est retenue : personne ne l’a vérifiée.",
    linksRemoved: "Les liens vers d’autres sites ont été retirés de cette réponse.",
    approval: "Une personne doit approuver l’étape suivante.",
    awaiting: "Une approbation est demandée avant de continuer.",
    withPerson: "Une personne répond dans cette conversation.",
    taken: "{0} vous répond désormais.",
    returned: "Un agent IA vous répond désormais.",
    otherAgent: "Un autre agent IA vous répond désormais.",
    personAsked: "Une personne a été priée de prendre le relais.",
    teamAsked: "{0} va vous répondre ici. Merci de patienter un instant.",
    teamClosed: "{0} n’est pas disponible pour le moment et répondra ici à partir de {1}.",
    notAnswered: "Ce message ne peut pas recevoir de réponse ici pour le moment.",
    versionChanged: "Une autre version de l’agent IA vous répond désormais.",
    sources: "Sources :",
  },
  es: {
    disclosure: "Está conversando con un agente de IA.",
    failed: "El agente no pudo responder. Envíe el mensaje otra vez o pida hablar con una persona.",
    blocked: "No se ha hecho: una regla de este servicio no lo permite.",
    rejected: "No se ha hecho: las personas consultadas no lo aprobaron.",
    expired: "No se ha hecho: nadie lo aprobó a tiempo.",
    cancelled: "Esta respuesta se detuvo.",
    abandoned: "No se ha terminado: el programa que lo pidió no devolvió a tiempo los resultados de sus funciones.",
    withheld: "La respuesta se retiene: nadie la ha comprobado.",
    linksRemoved: "Se quitaron de esta respuesta los enlaces a otros sitios.",
    approval: "Una persona debe aprobar el siguiente paso.",
    awaiting: "Se ha pedido una aprobación antes de continuar.",
    withPerson: "En esta conversación responde una persona.",
    taken: "A partir de ahora responde {0}.",
    returned: "A partir de ahora responde un agente de IA.",
    otherAgent: "A partir de ahora responde otro agente de IA.",
    personAsked: "Se ha pedido a una persona que continúe.",
    teamAsked: "{0} le responderá aquí. Espere un momento, por favor.",
    teamClosed: "{0} no está disponible ahora y responderá aquí a partir de {1}.",
    notAnswered: "En este momento no se puede responder aquí a este mensaje.",
    versionChanged: "Ahora responde otra versión del agente de IA.",
    sources: "Fuentes:",
  },
  ja: {
    disclosure: "AIエージェントがお答えしています。",
    failed: "エージェントはお答えできませんでした。もう一度送信するか、担当者をお呼びください。",
    blocked: "実行されませんでした。このサービスの規則では許可されていません。",
    rejected: "実行されませんでした。承認が得られませんでした。",
    expired: "実行されませんでした。期限内に承認されませんでした。",
    cancelled: "この回答は中止されました。",
    abandoned: "完了できませんでした。依頼元のプログラムから関数の結果が時間内に届きませんでした。",
    withheld: "回答は保留されています。まだ確認されていません。",
    linksRemoved: "ほかのサイトへのリンクは、この回答から削除されました。",
    approval: "次の手順には担当者の承認が必要です。",
    awaiting: "続ける前に承認を求めています。",
    withPerson: "この会話には担当者がお答えします。",
    taken: "ここからは{0}がお答えします。",
    returned: "ここからはAIエージェントがお答えします。",
    otherAgent: "ここからは別のAIエージェントがお答えします。",
    personAsked: "担当者に引き継ぎを依頼しました。",
    teamAsked: "{0}がここでお答えします。少々お待ちください。",
    teamClosed: "{0}は現在対応時間外です。{1}からここでお答えします。",
    notAnswered: "現在、このメッセージにはここでお答えできません。",
    versionChanged: "AIエージェントの別のバージョンがお答えします。",
    sources: "参照元：",
  },
};
