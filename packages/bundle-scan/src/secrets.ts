import { credentialsIn, type Finding as DataFinding, namesCredential, scanText } from "@aos/data-classes";
import type { Findings, Work } from "./findings.ts";
import type { RuleId } from "./rules.ts";
import { type Mask, snippetOf } from "./snippet.ts";
import type { Segment } from "./source.ts";

export interface Sensitive extends Mask {
  readonly rule: RuleId | null;
  readonly what: string;
}

const ruleOf: Readonly<Record<string, RuleId>> = {
  aws_access_key: "secret.aws-key",
  aws_secret_key: "secret.aws-key",
  private_key_block: "secret.private-key",
  url_password: "secret.url-password",
};

/** Secrets and personal data of a text, in order: what findings are made from, and what no snippet may show. */
export function sensitiveIn(segment: Segment, work: Work): Sensitive[] {
  const { text, name, role } = segment;
  work.steps += text.length;
  const data = scanText(text, role === "raw" ? "" : name);
  const found = [...data.flatMap((one) => fromData(segment, one)), ...formatted(text), ...assigned(segment, work)];
  // Stable: of two that begin together, the one with a checked form comes first.
  const sorted = found.sort((a, b) => a.start - b.start);
  let reached = -1;
  return sorted.filter(({ start, end }) => {
    const isNew = start >= reached;
    if (isNew) reached = end;
    return isNew;
  });
}

function fromData(segment: Segment, { kind, format, start, end }: DataFinding): Sensitive[] {
  const { text, role } = segment;
  const value = text.slice(start, end);
  if (kind === "secret_key") {
    const rule = isExampleSecret(value, format) ? "secret.example" : (ruleOf[format] ?? "secret.token");
    return [{ start, end, rule, what: `This looks like a credential (${format.replaceAll("_", " ")}).` }];
  }
  const isReported = role === "example" || role === "knowledge" || role === "data";
  const rule = isReported && kind !== "ip_address" && !isExampleData(kind, value) ? "data.personal" : null;
  return [{ start, end, rule, what: `This looks like ${kindWords[kind]}.` }];
}

const kindWords: Readonly<Record<Exclude<DataFinding["kind"], "secret_key">, string>> = {
  email: "somebody's e-mail address",
  phone: "a telephone number",
  ip_address: "an IP address",
  iban: "an IBAN",
  payment_card: "the number of a payment card",
  national_id: "a national id",
};

/** Formats of credentials that the detectors of data leave out, for want of a checksum or of randomness. */
function formatted(text: string): Sensitive[] {
  return credentialsIn(text).map(({ start, end }) => {
    const value = text.slice(start, end);
    const isBlock = value.startsWith("-----");
    const rule = isBlock ? "secret.private-key" : value.startsWith("A") ? "secret.aws-key" : "secret.token";
    const isTalk = isBlock && !/^[\s\\n]{0,8}[A-Za-z0-9+/]{24}/.test(text.slice(end, end + 40));
    const what = isBlock ? "This looks like a private key." : "This has the format of a credential.";
    return { start, end, rule: isTalk || isExampleSecret(value, "") ? "secret.example" : rule, what };
  });
}

const EXAMPLE =
  /example|sample|dummy|placeholder|your[-_ ]?|xxxx|changeme|redacted|1234567890|0123456789|abcdef01|test[-_]?key|\.\.\.|…/i;
/** Keys of vendors' documentation: Stripe's test key, and the token of jwt.io. */
const DOCUMENTED = ["4eC39HqLyjWDarjtT1zdp7dc", "eyJzdWIiOiIxMjM0NTY3ODkwIiw"];
const PLAIN_PASSWORDS =
  /^(?:pass(?:word|wd)?|passwort|secret|geheim|user|admin|postgres|root|guest|token|pwd|pw|xxx+|\*+)$/i;

function isExampleSecret(value: string, format: string): boolean {
  if (format === "url_password" && (PLAIN_PASSWORDS.test(value) || value.length < 4)) return true;
  return EXAMPLE.test(value) || DOCUMENTED.some((one) => value.includes(one)) || new Set(value).size < 6;
}

const EXAMPLE_HOST =
  /@(?:[a-z0-9-]{1,63}\.){0,5}(?:example(?:\.(?:com|org|net|de|co\.uk|edu))?|test|invalid|localhost|localdomain)$/i;
/** Numbers that payment services and the registry of IBANs publish for tests, without spaces. */
const EXAMPLE_NUMBERS = new Set(
  (
    "4111111111111111 4242424242424242 4000056655665556 4012888888881881 4222222222222 5555555555554444 5105105105105100 " +
    "2223003122003222 378282246310005 371449635398431 6011111111111117 3530111333300000 30569309025904 38520000023237 " +
    "DE89370400440532013000 GB29NWBK60161331926819 GB82WEST12345698765432 GB33BUKB20201555555555 FR1420041010050500013M02606 " +
    "AT611904300234573201 CH9300762011623852957 NL91ABNA0417164300 BE68539007547034 ES9121000418450200051332 IT60X0542811101000000123456"
  ).split(" "),
);
/** Telephone numbers set aside for invented people, in North America, Britain and Germany. */
const INVENTED_PHONE =
  /555[-. ]?01\d\d$|^(?:\+44|0)[ ()0-9]*7700[ -]?900|7946[ -]?0|23125[ -]?\d|^(?:\+49|0)\D*(?:30|40|69|89)\D*(?:23125|66969|90009|99998)/;

function isExampleData(kind: DataFinding["kind"], value: string): boolean {
  if (kind === "email") return EXAMPLE_HOST.test(value) || /^(?:no-?reply|do-?not-?reply)@/i.test(value);
  if (kind === "phone") return INVENTED_PHONE.test(value);
  return EXAMPLE_NUMBERS.has(value.replace(/[^A-Za-z0-9]/g, "").toUpperCase());
}

const NAME = /[A-Za-z0-9_.-]/;
const VALUE = /[A-Za-z0-9_+/=.~-]/;
const [SHORTEST, LONGEST] = [16, 200];

/** Random values behind `=` or `:` whose name says that they are secret, and such values of JSON members. */
function assigned({ text, name, isName }: Segment, work: Work): Sensitive[] {
  const found: Sensitive[] = [];
  const what = "A random value stands under a name that says it is secret.";
  if (!isName && namesCredential(name) && text.length <= LONGEST && looksRandom(text))
    found.push({ start: 0, end: text.length, rule: "secret.assignment", what });
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x3d && code !== 0x3a) continue;
    const before = nameBefore(text, at);
    work.steps += before.length + 8;
    if (!namesCredential(before)) continue;
    const value = valueBehind(text, at + 1);
    work.steps += value.end - value.start;
    if (value.end - value.start < SHORTEST) continue;
    const whole = text.slice(value.start, value.end);
    if (looksRandom(whole))
      found.push({ ...value, rule: EXAMPLE.test(whole) ? "secret.example" : "secret.assignment", what });
  }
  return found;
}

function nameBefore(text: string, at: number): string {
  let end = at;
  while (end > 0 && at - end < 4 && " \"'`".includes(text[end - 1]!)) end--;
  let start = end;
  while (start > 0 && end - start < 40 && NAME.test(text[start - 1]!)) start--;
  return text.slice(start, end);
}

function valueBehind(text: string, at: number): Mask {
  let start = at;
  while (start < at + 4 && " \"'`".includes(text[start] ?? "x")) start++;
  let end = start;
  while (end - start <= LONGEST && end < text.length && VALUE.test(text[end]!)) end++;
  return { start, end };
}

/** Whether a value is drawn rather than written: both letters and digits, at least 3.2 bits a character, and no word, path or number with a unit. */
function looksRandom(value: string): boolean {
  if (value.length < SHORTEST || !/^[A-Za-z0-9_+/=.~-]+$/.test(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || /^(?:https?:|\.{0,2}\/)/.test(value)) return false;
  if (/[a-z]{9}/.test(value) || /^[a-z]+(?:[-_.][a-z0-9]+)+$/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= 3.2;
}

/** Adds what is sensitive to the findings. */
export function addSensitive(segment: Segment, sensitive: readonly Sensitive[], findings: Findings): void {
  const { path, role } = segment;
  for (const { rule, start, end, what } of sensitive) {
    if (rule === null || findings.isFull(rule, path)) continue;
    const place = segment.place(start);
    if (role === "raw" && findings.hasOn(rule, path, place.line)) continue;
    findings.add({ rule, path, ...place, what, snippet: snippetOf(segment, start, end, sensitive) });
  }
}
