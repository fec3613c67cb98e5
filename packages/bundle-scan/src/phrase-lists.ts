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
   treat|take|regard|use|consider|accept ~6 as ~2 your|the|a ~2 new ~1 system|instruction*|prompt|rules
   whatever|what|everything|anything|all ~5 instructed|told|asked|ordered|trained|configured|said|read|written ~4 before|earlier|above|so|previously ~6 void|null|obsolete|cancelled|canceled|invalid|irrelevant|outdated|wrong|moot|over|fake
   text|message|paragraph*|section|part|lines|instruction*|prompt|everything above|before|preceding|earlier|previous ~6 mistake|error|placeholder|void|invalid|outdated|obsolete|fake|joke|wrong
   work|act|go|proceed|operate|behave ~1 by|on|from|after ~2 following|this|below|next ~2 text|lines|paragraph|message|instruction* ~1 only|alone
   only|just|solely ~1 this|following|next|below ~1 paragraph|line|text|message|part|instruction* ~2 counts|matters|applies|binding|valid|true
   your real|actual|true|new|secret|hidden ~2 task|job|goal|purpose|mission|objective|assignment|role ~2 is|are|begins
   i|we ~3 hereby|now|herewith ~3 switch|turn|lift|suspend|disable|revoke|remove|release|free|allow ~6 limit*|rules|restriction*|safeguard*|guardrail*|filter*|checks|constraints
   switch|turn ~1 off ~3 your|all|any|every ~2 limit*|rules|restriction*|safeguard*|guardrail*|filter*|checks|safety
   lift|suspend|remove|drop|disable|deactivate|shed|relax ~2 your|every ~2 limit*|restriction*|rules|filter*|safeguard*|guardrail*|safety|constraints
   tell|give|show|send|read|write|type|spell|share ~3 exact|full|complete|entire|verbatim|original|whole|literal ~2 wording|text|prompt|instruction*|content* ~6 instruction*|prompt|rules|given|told|message
   tell|give|show|repeat|print|quote|recite|write ~6 instruction*|rules|prompt|guideline*|message ~3 you ~1 were|was|have|had|got|received|started|run
   answer|respond|reply|speak|talk|write ~2 without ~2 filter*|restriction*|censorship|guardrail*|refus*|limitation*
   this|following|next ~2 message|text|note|line|paragraph ~2 overrides|supersedes|replaces|outranks ~4 system|instruction*|rules|prompt|everything|all|else|other
   has|have|takes|take ~2 priority|precedence ~2 over|above ~3 instruction*|rules|prompt|polic*|guideline*|system`,
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
   antworte|befolge ~8 mit|den|die systemprompt*|systemanweisung*
   was|alles ~3 vorher|zuvor|bisher|davor|oben|fruher ~4 gesagt|steht|stand|aufgetragen|befohlen|wurde|geschrieben|gelernt ~4 uberholt|ungultig|hinfallig|falsch|nichtig|erledigt|egal|gegenstandslos
   es|hier|ab zahlt|gilt|zahlen|gelten ~2 nur|allein|einzig|ausschliesslich ~4 absatz|text|satz|zeile*|folgend*|nachricht|abschnitt
   schalte|schalt|wechsle|wechsel|geh|gehe|starte|aktiviere ~4 entwicklermodus|wartungsmodus|debugmodus|testmodus|adminmodus|administratormodus|expertenmodus|gottmodus
   antworte|antwort|rede|sprich|schreibe|reagiere ~3 ohne ~2 filter*|einschrankung*|zensur|hemmung*|beschrankung*|schranken
   hiermit|sofort|jetzt|ich ~4 hebe|setze|schalte|nehme ~6 limit*|regel*|beschrankung*|einschrankung*|sperre*|filter*|vorgabe* ~4 auf|aus|ab|zuruck|kraft
   dein*|ihr*|eure wahre|eigentliche|echte|tatsachliche|neue aufgabe|auftrag|ziel|rolle
   diese*|folgende* ~2 anweisung*|nachricht|zeile*|absatz|hinweis* ~2 hat|haben|geht|gehen|ersetz* ~2 vorrang|vor|vorher*|bisher*|alle`,
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
   make sure ~2 ${people} ~3 not|never|doesn't|don't|nothing ~2 notice|see|know|learn|notices|sees|learns
   ${people} ~1 is|are not|never ~1 to|being ~1 hear|know|learn|notice|told|informed|find|discover|suspect
   make|making no mention|reference|note ~3 this|that|it|these|them|of
   not|never|don't|without ~1 log|logging|record|recording|list|listing|note|document|documenting|trace|audit|report|reporting ~1 this|that|these|those ~2 step*|action*|transfer*|call|calls|payment*|change*|transaction*|request*|instruction*|line|order*
   stay|stays|remain|remains|keep ~3 between us|ourselves
   not|never|don't|without ~1 let|letting|allow|allowing ~3 ${people} ~3 find|know|see|notice|learn|hear|catch|discover|suspect
   act|behave|pretend|reply|answer ~2 as ~1 if|though ~2 nothing|this|it ~4 happened|changed|nothing|never`,
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
   heimlich|unbemerkt|stillschweigend ~4 aus|durch|weiter|senden|ausfuhren|buchen|uberweisen
   bleibt|bleibe|bleiben|behalte ~3 unter uns
   lass|lasse|lassen|lasst ~2 diesen|diese|dieses|das|dies|den ~2 schritt*|uberweisung*|hinweis*|anweisung*|aktion*|zahlung*|zeile*|buchung*|aufruf*|satz ~6 weg|unerwahnt|aussen
   protokolliere|vermerke|dokumentiere|notiere ~1 diesen|diese|dieses|das|dies|den ~2 schritt*|uberweisung*|anweisung*|aktion*|zahlung*|buchung*|aufruf* ~3 nicht|nie|niemals|nirgends
   tu|tue|verhalte ~3 als ~4 nichts|ware ~4 geschehen|passiert|nichts
   kein|keine|ohne ~1 wort|hinweis|erwahnung ~2 daruber|davon|zu|uber|an`,
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
   send|forward|post|transmit|upload|email|mail|deliver|relay|copy|leak|exfiltrate|push|paste|share|pass ~2 them|it|everything|this ~3 to|at|via ~2 ${target}
   call|open|fetch|load|request|visit|get|curl ~2 ${target} ~4 with|and|adding|containing|carrying ~4 conversation*|chat*|histor*|transcript*|message*|data|credential*|password*|secret*|token*|key|keys|record*|prompt|context|everything|personal|answer|name
   ${send} ~4 whole|entire|complete|full|all|every|customer's|user's|user’s|their|his|her ~4 ${data} ~6 with ~3 ${target}
   answer*|reply|replies|response*|message*|record*|question*|everything|conversation*|copy|copies ~3 must|should|shall|also|always|has|have ~3 go|sent|posted|copied|forwarded|delivered|mirrored|uploaded|pushed|reach|end ~3 to|at|on|in|into ~4 ${target}
   bcc|cc ~2 @mail
   bcc ~6 ${target}`,
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
   split ~4 payment*|refund*|amount*|order* ~6 below|under|avoid|stay ~4 limit|threshold|approval
   no|without|not need|reason|point|have ~2 to ~1 wait|ask|check|confirm|seek|consult|bother ~4 manager|approver*|anyone|anybody|supervisor|confirmation|permission|human|boss|team|approval*
   not|never|don't ~1 wait|ask|check|pause|stop ~2 for|with|at ~2 approval*|confirmation*|permission|manager|supervisor|consent|sign-off|human
   set|put|switch|flip|turn|write ~3 approval|approved|confirmation|confirmed|review|reviewed|authorization|authorized ~2 flag|field|status|state|bit|value|parameter ~3 true|yes|approved|done|yourself|granted|1
   approve|confirm|authorize|sign ~2 it|this|these|them|yourself ~2 yourself|own|behalf
   pretend|claim|say|state|write ~3 manager|approver|supervisor|boss|ceo|admin|human ~2 has|have|already ~2 approved|agreed|confirmed|authorized|signed`,
);

const bypassGerman = phrases(
  "prompt.bypass",
  `ohne ~2 ${freigaben}
   uberspring*|umgeh*|ubergeh*|ignorier* ~3 ${freigaben}|limit*|budget*
   genehmig*|bewillig* ~2 jede*|alle*|immer|automatisch
   immer|stets|automatisch ~2 genehmig*|freigeb*|bewillig*
   gilt|gelten|behandle|betrachte ~4 bereits|schon|als ~2 genehmigt|freigegeben|bestatigt
   teile|teil|splitte|zerlege|stuckle|stuckel* ~4 betrag*|zahlung*|summe*|bestellung*|rechnung*|uberweisung* ~8 freigabe*|genehmigung*|limit*|grenze*|prufung*|schwelle*
   warte|frage|frag ~3 nicht|nie|niemals ~3 auf|nach|um ~3 ${freigaben}|vorgesetzt*|mensch*|leitung
   setze|setz|stelle|schreibe ~4 freigabe*|genehmigung*|genehmigt|freigegeben ~4 selbst|ja|true|erteilt
   genehmig*|bestatig*|freigib ~3 selbst|eigenmachtig`,
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
