import { encodedTexts, rot13 } from "./encoded.ts";
import type { Findings, Work } from "./findings.ts";
import { allPhrases, encodedPhrases } from "./phrase-lists.ts";
import { type Match, PhraseBook } from "./phrases.ts";
import type { Level, RuleId } from "./rules.ts";
import { type Mask, snippetOf, visible } from "./snippet.ts";
import type { Segment } from "./source.ts";
import { CLAUSE, SENTENCE, type Words, wordsOf } from "./words.ts";

const book = new PhraseBook(allPhrases);
const encodedBook = new PhraseBook(encodedPhrases);

const whats: Partial<Record<RuleId, string>> = {
  "prompt.override": "This tells a model to drop its instructions or to show them.",
  "prompt.conceal": "This tells a model to hide something from people.",
  "prompt.exfiltrate": "This tells a model to send data to an address.",
  "prompt.bypass": "This tells a model to act without approval.",
};

interface Report {
  readonly segment: Segment;
  readonly masks: readonly Mask[];
  readonly findings: Findings;
  readonly work: Work;
}

/** Finds orders to models, plain and encoded, and role markers of chat templates. */
export function findInjection(segment: Segment, masks: readonly Mask[], findings: Findings, work: Work): void {
  if (segment.role === "raw") return;
  const report = { segment, masks, findings, work };
  const words = wordsOf(segment.text, work);
  for (const match of book.matches(words, work)) {
    if (findings.isFull(match.rule, segment.path) || isNegated(match, words)) continue;
    const isNote = match.isMild && segment.role !== "prompt";
    add(report, match.rule, words.starts[match.first]!, words.ends[match.last]!, whats[match.rule]!, isNote);
  }
  const turned = { words: words.words.map(rot13) };
  for (const match of encodedBook.matches(turned, work))
    if (match.rule === "prompt.override" || match.rule === "prompt.exfiltrate")
      add(report, "prompt.encoded", words.starts[match.first]!, words.ends[match.last]!, "This is an order in rot13.");
  for (const { start, end, text, form } of encodedTexts(segment.text, work)) {
    if (findings.isFull("prompt.encoded", segment.path)) break;
    if (encodedBook.matches(wordsOf(text, work), work).length === 0) continue;
    add(report, "prompt.encoded", start, end, `This is an order in ${form}: “${visible(text.slice(0, 60))}”.`);
  }
  for (const { start, end } of roleMarkers(segment.text, work))
    add(report, "prompt.role-marker", start, end, "This marks a turn of a chat template.");
}

function add(
  { segment, masks, findings, work }: Report,
  rule: RuleId,
  start: number,
  end: number,
  what: string,
  isNote = false,
): void {
  if (findings.isFull(rule, segment.path)) return;
  work.steps += BEFORE;
  const level = isNote ? "note" : levelOf(segment, start, end);
  const said = level === "note" ? `${what} It is quoted or described as an example.` : what;
  const snippet = snippetOf(segment, start, end, masks);
  findings.add({ rule, path: segment.path, ...segment.place(start), what: said, snippet, ...(level && { level }) });
}

const BEFORE = 300;
const AFTER = 80;
const ABOUT_ATTACKS =
  /\battack|\badversar|injection|\bmanipulat|\btrick|\bphish|\bscam|\bfraud|\battempt|\bmalicious|\bhostile|jailbreak|angriff|angreif|manipul|betrug|betrüg|versuch|b(?:ö|oe)swillig|einschleus|untergeschoben/i;
const MENTIONS =
  /\b(?:such as|like|says?|said|saying|writes?|asks?|asking|asked|claims?|if|when|whenever|wenn|falls|sagt|schreibt|fordert|steht|wie|etwa|example|z\. ?b\.|e\.g\.|beispiel|detect|recogni[sz]e|refuse|report|erkenn\w*|lehne\w*|texts?|words?|phrases?|sätze|worte)\b/i;
const QUOTES = new Set([..."\"“”„«»‘’‚'`"]);
/** What makes an order a permission or a statement about people: “you can ignore the rules above if …”. */
const MODAL =
  /\b(?:can|may|could|might|should not|must not|need not|cannot|can't|kann|können|darf|dürfen|muss nicht|möchte\w*)\s+(?:\S+\s+){0,2}$/i;

/** The level that the surroundings give: a note where an order is quoted or described, a warning in examples, which should hold what users try. */
function levelOf({ text, role }: Segment, start: number, end: number): Level | undefined {
  const before = text.slice(Math.max(0, start - BEFORE), start);
  const paragraph = before.slice(Math.max(0, before.lastIndexOf("\n\n")));
  const sentence = paragraph.slice(paragraph.search(/[^.!?]*(?:[.!?]\S[^.!?]*)*$/));
  const after = text.slice(end, end + AFTER).split(/[.!?\n]/, 1)[0]!;
  const isQuoted = quoted(paragraph) && hasQuote(text.slice(start, end + AFTER));
  if (isQuoted && (MENTIONS.test(paragraph) || ABOUT_ATTACKS.test(paragraph + after))) return "note";
  if (ABOUT_ATTACKS.test(sentence) || ABOUT_ATTACKS.test(after)) return "note";
  if (role !== "prompt" && MODAL.test(sentence)) return "note";
  return role === "example" ? "warning" : undefined;
}

/** Whether a quotation is open at the end of a text: an odd number of marks, apostrophes inside words apart. */
function quoted(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (!QUOTES.has(char)) continue;
    const isApostrophe =
      "'’".includes(char) && /\p{L}/u.test(text[at - 1] ?? " ") && /\p{L}/u.test(text[at + 1] ?? " ");
    if (!isApostrophe) open++;
  }
  return open % 2 === 1;
}

const hasQuote = (text: string): boolean => [...text].some((char) => QUOTES.has(char));

const NEGATIONS = new Set(
  "not never no don't doesn't didn't won't cannot can't isn't aren't nobody nothing none neither nor mustn't nicht nie niemals kein keine keinen keiner keinem nichts niemand weder".split(
    " ",
  ),
);
const AROUND = 8;

/** Whether a clause forbids what the phrase orders: “never skip an approval”, “ohne Freigabe wird nichts ausgezahlt”. */
function isNegated({ rule, first, last }: Match, { words }: Words): boolean {
  if (rule === "prompt.conceal") return false;
  for (let at = first - 1; at >= 0 && at >= first - AROUND; at--) {
    if (words[at] === SENTENCE || words[at] === CLAUSE) break;
    if (NEGATIONS.has(words[at]!)) return true;
  }
  if (rule !== "prompt.bypass" || NEGATIONS.has(words[first]!)) return false;
  for (let at = last + 1; at < words.length && at <= last + AROUND; at++) {
    if (words[at] === SENTENCE || words[at] === CLAUSE) break;
    if (NEGATIONS.has(words[at]!)) return true;
  }
  return false;
}

const MARKERS = [
  /<\|(?:im_start|im_end|im_sep|system|user|assistant|end|endoftext|eot_id|start_header_id|end_header_id|begin_of_text|end_of_turn|channel|message|tool_call)\|>/i,
  /\[\/?INST\]|<<\/?SYS>>|<\/?start_of_turn>|<end_of_turn>|\[\/?SYSTEM_PROMPT\]|<\/?(?:system_prompt|system-reminder|function_results|tool_result)>/i,
];
const WINDOW = 40;

function* roleMarkers(text: string, work: Work): Generator<Mask> {
  work.steps += text.length;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char !== "<" && char !== "[") continue;
    const window = text.slice(at, at + WINDOW);
    work.steps += WINDOW;
    const found = MARKERS.map((marker) => marker.exec(window)).find((match) => match?.index === 0);
    if (found) yield { start: at, end: at + found[0].length };
  }
  const human = text.search(/^(?:Human|### ?(?:Instruction|System|Human)): ?/m);
  const answer = human < 0 ? -1 : text.slice(human).search(/^(?:Assistant|### ?(?:Response|Assistant)): ?/m);
  if (answer > 0) yield { start: human, end: human + 6 };
}
