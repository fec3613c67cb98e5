import { domainToUnicode } from "node:url";
import type { Findings, Work } from "./findings.ts";
import { type Mask, snippetOf } from "./snippet.ts";
import type { Segment } from "./source.ts";

/*
 * Letters of other scripts that look like Latin ones in common fonts, from the letters that UTS #39 calls confusable: Cyrillic, Greek, Armenian, Cherokee and
 * letters of full width. Each pair is the other letter and the Latin one.
 */
const PAIRS =
  "аaеeоoрpсcуyхxіiјjѕsԁdԛqԝwһhӏlԍgвbкkмmнhтtгrпnАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSԌGԚQԜW" +
  "αaοoνvρpτtυuιiκkηnωwγyχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϲcϳj" +
  "օoսuոnհhցgզqѕsՏSՕO" +
  "ᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᎳWᏃZɑaɡgıiʟl";
const look = new Map<string, string>();
const letters = [...PAIRS];
for (let at = 0; at + 1 < letters.length; at += 2) look.set(letters[at]!, letters[at + 1]!);
for (let code = 0x21; code <= 0x7e; code++) look.set(String.fromCodePoint(code + 0xfee0), String.fromCodePoint(code));

/** A text with each letter that looks like a Latin one replaced by it. */
export function latinLook(text: string): string {
  let latin = "";
  for (const character of text) latin += look.get(character) ?? character;
  return latin;
}

const NOT_ASCII = /\P{ASCII}/u;
const LATIN = /[A-Za-z]/;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Letters of formulas and units (µ, Ω, α) stand beside Latin ones honestly, as do single ones before a hyphen. */
const LEAST_LATIN = 2;

/** Finds words that mix Latin letters with others that look alike, and hosts that are not what they look like. */
export function findConfusables(segment: Segment, masks: readonly Mask[], findings: Findings, work: Work): void {
  const { text, path } = segment;
  work.steps += text.length;
  if (segment.role === "raw") return;
  const add = (start: number, end: number, what: string): void => {
    if (findings.isFull("text.confusable", path)) return;
    const snippet = snippetOf(segment, start, end, masks);
    findings.add({ rule: "text.confusable", path, ...segment.place(start), what, snippet });
  };
  for (const { start, end, host } of hostsIn(text, work)) if (isDeceptive(host)) add(start, end, hostWords(host));
  if (!NOT_ASCII.test(text)) return;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!NOT_ASCII.test(word) || word.length > 100) continue;
    if (isMixed(word)) add(index, index + word.length, "A word mixes Latin letters with letters that look like them.");
  }
}

function isMixed(word: string): boolean {
  let latin = 0;
  let alike = 0;
  let others = 0;
  for (const character of word) {
    if (LATIN.test(character)) latin++;
    else if (look.has(character)) alike++;
    else if (/\p{L}/u.test(character) && !/\p{Script=Latin}/u.test(character)) others++;
  }
  return latin >= LEAST_LATIN && alike > 0 && others === 0;
}

const LONGEST_HOST = 255;

/** Hosts of addresses, behind `://`. */
export function* hostsIn(text: string, work: Work): Generator<{ start: number; end: number; host: string }> {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const rest = text.slice(at + 3, at + 3 + LONGEST_HOST);
    work.steps += rest.length;
    const authority = /^[^\s/?#"'`<>)\]\\|,;]*/.exec(rest)![0];
    const user = authority.lastIndexOf("@") + 1;
    const host = authority.slice(user).replace(/:\d*$|[.:]+$/, "");
    yield { start: at + 3 + user, end: at + 3 + user + host.length, host };
  }
}

function isDeceptive(host: string): boolean {
  const shown = host.includes("xn--") ? domainToUnicode(host) : host;
  if (!NOT_ASCII.test(shown)) return false;
  return shown.split(".").some((label) => {
    if (!NOT_ASCII.test(label)) return false;
    return isMixed(label) || !NOT_ASCII.test(latinLook(label)) || /[\u2044\u2215\u29f8\uff0f\u3002\uff0e]/.test(label);
  });
}

const hostWords = (host: string): string =>
  host.includes("xn--")
    ? "A host is written in code and looks like another one."
    : "A host has letters that look like others.";
