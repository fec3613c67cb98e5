import { type Phrase, phrases } from "./phrases.ts";

/*
 * Orders that somebody plants for a model to find, in English and German, words as `wordsOf` folds them (ü is u, ß is ss). Lists are by rule.
 */
const drop = "ignore|disregard|forget|override|overrule|discard|neglect|bypass|dismiss|abandon";
const told =
  "instruction*|rule|rules|prompt|prompts|guideline*|directive*|directions|guardrail*|restriction*|safeguards|constraints|polic*|orders|commands|programming|training|context";
const before =
  "previous|prior|above|earlier|preceding|foregoing|former|existing|original|initial|system|your|all|any|every|operator|developer|developer's|safety|these|those|current|other";
const sagen =
  "anweisung*|instruktion*|regel*|vorgabe*|vorschrift*|richtlinie*|systemprompt*|systemanweisung*|befehl*|prompt|auftrag*|beschrankung*|kontext";
const zuvor =
  "vorherig*|bisherig*|vorig*|obig*|vorangegangen*|vorausgehend*|fruher*|alle|allen|alles|samtlich*|jede|deine|deinen|ihre|diese|die|den|ursprunglich*|oben|zuvor|bestehend*|system";

const override = phrases(
  "prompt.override",
  `${drop} ~3 ${before} ~3 ${told}
   ${drop} ~2 ${told} ~6 above|before|earlier|previously|given|far|operator|developer|company
   ${drop} ~1 everything|anything|all|whatever|what ~6 above|before|earlier|previously|told|said|learned|configured|instructed|wrote|set
   set|put|leave|push|throw ~1 aside|away ~1 everything|all|any|your|the|what ~6 told|instruct*|rules|above|before|earlier|guideline*|prompt
   set|put|leave ~4 instructions|rules|guidelines|prompt|policies ~1 aside
   do not|no ~1 follow|obey ~3 previous|prior|above|earlier|operator|system|original|developer ~2 ${told}
   don't follow|obey ~3 previous|prior|above|earlier|operator|system|original ~2 ${told}
   stop following|obeying ~3 ${told}
   previous|prior|earlier|above|old|former|original ~2 ${told} ~3 no|not|never longer|apply|valid|count|void|hold
   previous|prior|earlier|above|old|former|original ~2 ${told} ~3 void|cancelled|canceled|revoked|obsolete|suspended|superseded|invalid|lifted|expired
   new|updated|revised|real|actual|true system instruction*|prompt|rules|message
   new|updated|revised|real|actual|true instruction*|orders ~2 from ~2 developer*|system|operator|admin*|vendor|provider
   reveal|print|output|repeat|show|disclose|display|leak|recite|quote|expose ~3 your|system|hidden|initial|the ~2 system|hidden|secret|initial|internal|developer prompt|instruction*|message|rules
   reveal|print|output|repeat|disclose|leak|recite ~2 system prompt
   you are now ~6 without|unrestricted|unfiltered|jailbroken|dan|devmode|free|no|root|admin*
   you are no longer ~4 bound|limited|restricted|an|a|the|subject
   you ~1 have no ~1 rules|restrictions|limits|limitations|filters|guidelines
   pretend|imagine|act|behave|respond|roleplay ~2 that|as|you|to|like ~8 no|without|unrestricted|unfiltered|jailbroken ~2 rules|restrict*|filter*|limit*|guideline*|ai|model|assistant
   enter|enable|activate|switch ~2 developer|dev|debug|god|dan|jailbreak|unrestricted|maintenance|admin mode
   from now on ~6 only|ignore|instead|obey ~6 ${told}|below|following|lines|me
   treat|take|regard|use|consider|accept ~6 as ~2 your|the|a ~2 new ~1 system|instruction*|prompt|rules`,
);

const overrideGerman = phrases(
  "prompt.override",
  `ignorier*|vergiss|vergesst|vergessen|missachte*|verwirf|verwerfen|ubergehe|umgehe ~4 ${zuvor} ~4 ${sagen}
   ignorier*|vergiss|vergesst|vergessen|missachte*|verwirf ~2 alles|was ~6 oben|vorher|bisher|zuvor|davor|gesagt|steht|stand|gelernt
   ignorier*|vergiss|missachte*|verwirf ~3 ${sagen}
   ${zuvor} ~2 ${sagen} ~6 nicht|keine|ungultig|aufgehoben|hinfallig|ausser|unwirksam mehr|gultig|kraft|gultigkeit
   ${zuvor} ~2 ${sagen} ~4 ungultig|aufgehoben|hinfallig|ausgesetzt|unwirksam
   ab|von sofort|jetzt|nun ~8 ${sagen} ~6 nicht|keine|nur|neue*
   neue|neuen|aktualisierte|wahre|eigentliche systemanweisung*|systemprompt*|anweisung* ~4 system|betreiber|hersteller|entwickler
   neue systemanweisung*|systemprompt*|systemregel*
   beachte*|befolge* ~3 nicht|keine|nie ~3 ${sagen}
   du|sie bist|sind jetzt|nun|ab ~8 ohne|kein*|frei ~2 einschrankung*|beschrankung*|regel*|filter*|vorgabe*|grenzen
   du|sie bist|sind jetzt|nun|ab ~8 unbeschrankt*|uneingeschrankt*
   tu|stell|spiel|verhalte|benimm ~6 ohne|keine regel*|beschrankung*|einschrankung*|filter|vorgabe*
   gib|zeige|nenne|verrate|wiederhole|drucke|schreibe ~4 systemprompt*|systemanweisung*|systemnachricht*
   halte|halt dich nicht ~3 an ~3 ${sagen}
   befolge|folge|beachte ~3 nur ~4 folgend*|diese*|nachstehend* ~2 ${sagen}
   antworte|befolge ~8 mit|den|die systemprompt*|systemanweisung*`,
);

const people =
  "user|users|customer|customers|client|clients|operator|operators|anyone|anybody|person|people|human|humans|reviewer|reviewers|owner|admin|administrator|staff|employee|employees|them|him|her|sender|team|auditor|auditors|supervisor";
const leute =
  "nutzer*|benutzer*|kunde*|kundin*|anwender*|betreiber*|niemand*|absender*|mensch*|person*|mitarbeiter*|pruf*|vorgesetzt*|administrator*|auftraggeber*|jemand*|ihm|ihr|ihnen|besitzer*";

const conceal = phrases(
  "prompt.conceal",
  `do|must|should|may|never|don't|not|without|cannot|and|please not|never|don't|ever|without ~1 tell|telling|inform|informing|notify|notifying|mention|mentioning|reveal|disclose|show|alert|warn|report ~3 ${people} ~3 this|that|it|about|of|step|what|anything
   never|don't|not ~1 tell|inform|notify|alert|warn ~2 ${people}
   never|don't|not ~1 mention|reveal|disclose|report|show|say ~5 to ~2 ${people}
   without ~1 telling|informing|notifying|alerting|asking|warning ~2 ${people}
   behind ~2 ${people} back
   keep|hold ~2 this|it|that|these|them|everything ~3 secret|hidden|quiet|confidential|private|concealed ~2 from ~2 ${people}
   keep ~2 this|it|that|these ~3 between us|ourselves
   hide|conceal|withhold ~5 from ~2 ${people}
   leave|omit|exclude|strip|delete ~1 this|it|that|any|all ~3 out|from ~2 of|your|the|summary|report|log|logs|answer|trace|record
   user|customer|operator|client|reviewer ~1 must|should|may|need|shall ~1 not|never ~1 know|learn|notice|hear
   no ~1 one|person|human|user ~1 must|should|may ~2 know|learn|notice|find
   do|act|proceed|run|execute ~2 this|it|so|these ~1 silently|secretly|covertly|quietly|unnoticed
   make sure ~2 ${people} ~3 not|never|doesn't|don't|nothing ~2 notice|see|know|learn|notices|sees|learns`,
);

const concealGerman = phrases(
  "prompt.conceal",
  `sag|sage|sagen|erzahl|erzahle|verrate|verraten|teile|melde|zeige|berichte|erwahne|erwahnen|informiere|erwahn ~4 ${leute} ~4 nichts|nicht|davon|niemals|nie
   sag|sage|sagen|erzahl|erzahle|verrate|teile|melde|zeige|erwahne|erwahnen|informiere ~4 nichts|nicht|niemals|nie ~4 ${leute}
   sag|sage|erzahle|verrate|erwahne|erwahnen|zeige|melde ~4 niemand*
   erwahne|erwahnen|nenne|zeige ~4 nicht|nie|niemals ~5 gegenuber|zusammenfassung|bericht|antwort|protokoll
   ${leute} ~4 nichts|nicht|nie|niemals ~4 erfahren|erfahrt|wissen|merken|bemerken|merkt|sehen|mitbekommen
   niemand ~3 davon|hiervon|das ~3 erfahren|wissen|merken|erfahrt
   verschweig* ~5 ${leute}
   verheimlich* ~5 ${leute}
   verbirg|verberge|verstecke ~6 vor ~2 ${leute}
   ohne ~2 ${leute} ~4 informieren|sagen|benachrichtigen|mitzuteilen|fragen|wissen
   ohne dass ~3 ${leute} ~5 merkt|erfahrt|weiss|mitbekommt|sieht|bemerkt
   hinter ~2 rucken ~3 ${leute}
   heimlich|unbemerkt|stillschweigend ~4 aus|durch|weiter|senden|ausfuhren|buchen|uberweisen`,
);

const send =
  "send|forward|post|transmit|upload|submit|email|mail|deliver|relay|copy|append|attach|include|leak|exfiltrate|report|push|paste|write|put|share|pass|bcc|cc";
const data =
  "conversation*|chat*|histor*|transcript*|message*|data|credential*|password*|secret*|token*|key|keys|record|records|details|prompt|context|document*|input*|output*|everything|information|file|files|answers|log|logs|personal|content*|question*|request*|response*|text|them|it|all|copy|summary";
const target = "@url|@mail";
const daten =
  "daten|kundendaten|gesprach*|verlauf|chat*|nachricht*|zugangsdaten|passwort*|kennwort*|geheim*|eingabe*|ausgabe*|inhalt*|alles|alle|datensatz*|datensatze|unterlagen|dokument*|kontodaten|protokoll*|informationen|schlussel|personlich*|anfrage*|antwort*|text*|kopie";

const exfiltrate = phrases(
  "prompt.exfiltrate",
  `${send} ~4 whole|entire|complete|full|all|every|any|customer|customers|customer's|user|user's|user’s|personal|private|confidential|internal|these|his|her|their|each ~4 ${data} ~10 to|into|at|via ~6 ${target}
   ${send} ~4 conversation*|credential*|password*|secret*|token*|transcript*|histor*|system|prompt ~10 to|into|at|via ~6 ${target}
   ${send} ~2 them|it|everything|this ~3 to|at|via ~2 ${target}
   call|open|fetch|load|request|visit|get|curl ~2 ${target} ~4 with|and|adding|containing|carrying ~4 ${data}
   bcc|cc ~6 ${target}`,
);

const exfiltrateGerman = phrases(
  "prompt.exfiltrate",
  `sende*|schick*|leite*|ubertrag*|ubermitt*|poste*|lade|maile*|kopier*|hange|fuge|melde|gib|verschick*|stelle ~5 ${daten} ~10 an|nach|zu|auf|unter ~4 ${target}
   sende*|schick*|leite*|ubertrag*|ubermitt*|poste*|maile*|kopier* ~4 an ~2 ${target} ~6 ${daten}
   rufe|ruf|offne|lade ~3 ${target} ~6 mit|und ~4 ${daten}`,
);

const approvals =
  "approval*|confirmation*|permission|consent|authorization|authorisation|review|reviewer*|sign-off|verification";
const freigaben = "freigabe*|genehmigung*|bestatigung*|zustimmung|prufung|erlaubnis|ruckfrage*|vier";

const bypass = phrases(
  "prompt.bypass",
  `without ~1 asking|waiting|seeking|requesting|getting|obtaining|requiring ~3 ${approvals}|anyone|permission|human
   skip|bypass|circumvent|evade|avoid|ignore|disable ~3 approval*|confirmation*|gate|polic*|guardrail*|limits|budget|kill
   always|automatically ~1 approve|grant|accept|confirm|authorize ~2 every|all|any|each|it|them
   approve|grant|accept ~1 every|all|any ~2 request*|payment*|refund*|claim*|action* ~6 whatever|regardless|without|matter|immediately|automatically
   treat|regard|consider|count|mark ~4 as ~1 already|pre|automatically approved|confirmed|authorized|authorised|granted|reviewed
   assume ~4 approved|authorized|authorised|granted
   split ~4 payment*|refund*|amount*|order* ~6 below|under|avoid|stay ~4 limit|threshold|approval`,
);

const bypassGerman = phrases(
  "prompt.bypass",
  `ohne ~2 ${freigaben}
   uberspring*|umgeh*|ubergeh*|ignorier* ~3 ${freigaben}|limit*|budget*
   genehmig*|bewillig* ~2 jede*|alle*|immer|automatisch
   immer|stets|automatisch ~2 genehmig*|freigeb*|bewillig*
   gilt|gelten|behandle|betrachte ~4 bereits|schon|als ~2 genehmigt|freigegeben|bestatigt`,
);

/** Honest policies say this too, so that it is a note outside prompts. */
const unneeded = phrases(
  "prompt.bypass",
  `no approval*|confirmation*|review ~3 needed|required|necessary
   ${approvals} ~2 is|are not|never|unnecessary ~1 needed|required|necessary
   ${freigaben} ~3 nicht|keine|uberflussig|unnotig ~2 notig|erforderlich|notwendig|abwarten|gebraucht|brauchen
   keine ${freigaben} ~3 notig|erforderlich|notwendig|abwarten|einholen`,
).map((phrase) => ({ ...phrase, isMild: true }));

export const allPhrases: readonly Phrase[] = [
  ...override,
  ...overrideGerman,
  ...conceal,
  ...concealGerman,
  ...exfiltrate,
  ...exfiltrateGerman,
  ...bypass,
  ...bypassGerman,
  ...unneeded,
];

/** What is looked for in encoded texts. */
export const encodedPhrases: readonly Phrase[] = allPhrases.filter(({ rule }) => rule !== "prompt.bypass");
