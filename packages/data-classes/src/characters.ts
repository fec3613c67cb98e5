/**
 * A text as the detectors read it. They read it by these methods alone, so that a test can hand in a text that counts every unit that is read:
 * that is how linear time is proven.
 */
export type Text = Pick<string, "length" | "charCodeAt" | "slice" | "startsWith" | "indexOf">;

/** Classes of characters, as bits, so that the classes of a whole run can be united. */
export const LETTER = 1;
export const DIGIT = 2;
export const UNDERSCORE = 4;
/** What words are made of. */
export const WORD = LETTER | DIGIT | UNDERSCORE;
export const AT = 8;
export const PLUS = 16;
export const DASH = 32;

/** The class of every UTF-16 unit; 0 for what no detector begins with. */
export const classes = new Uint8Array(0x10000);
for (let code = 0; code < 0x530; code++)
  classes[code] = isSpacedLetter(code) ? LETTER : code >= 48 && code <= 57 ? DIGIT : 0;
classes[0x5f] = UNDERSCORE;
classes[0x40] = AT;
classes[0x2b] = PLUS;
classes[0x2d] = DASH;

/** Letters of scripts that put spaces between words (Latin, Greek, Cyrillic). In others a number may follow a letter directly. */
function isSpacedLetter(code: number): boolean {
  const ascii = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  const latin = code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7;
  return ascii || latin || (code >= 0x370 && code <= 0x52f);
}

/** The class of a UTF-16 unit; 0 also for NaN, which stands before and after a text. */
export function classOf(code: number): number {
  return code >= 0 ? classes[code]! : 0;
}

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isUpper = (code: number): boolean => code >= 65 && code <= 90;
export const isLower = (code: number): boolean => code >= 97 && code <= 122;
/** ASCII letters and digits. */
export const isAlphanumeric = (code: number): boolean => isDigit(code) || isUpper(code) || isLower(code);
/** Letters, digits and underscore: what a number or a key may not touch on either side. */
export const isWord = (code: number): boolean => (classOf(code) & WORD) !== 0;

/** Spaces within a line, with those that typesetters use between groups of digits. */
export function isSpace(code: number): boolean {
  return (
    code === 32 ||
    code === 9 ||
    code === 0xa0 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x3000
  );
}

/** What may stand between two groups of a number: a space, `-` (any dash), `.` or `/`, each given as its plain character; else an empty text. */
export function separatorOf(code: number): "" | " " | "-" | "." | "/" {
  if (isSpace(code)) return " ";
  if (code === 0x2d || (code >= 0x2010 && code <= 0x2015)) return "-";
  if (code === 0x2e) return ".";
  return code === 0x2f ? "/" : "";
}

/**
 * Whether what begins at `start` is the continuation of something longer: a part of a UUID, an order number such as AB-1234, a path, a decimal.
 * A space, a colon or a quotation mark separates; so does a full stop after a letter ("No.1234").
 */
export function isContinuation(text: Text, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (isWord(before)) return true;
  const separator = separatorOf(before);
  if (separator === "" || separator === " ") return false;
  const further = text.charCodeAt(start - 2);
  return separator === "." ? isDigit(further) : isWord(further);
}

/** Whether what ends before `end` goes on there: with a letter, a digit, or a joint and then one of these. */
export function goesOn(text: Text, end: number): boolean {
  const after = text.charCodeAt(end);
  if (isWord(after)) return true;
  const separator = separatorOf(after);
  if (separator === "" || separator === " ") return false;
  const further = text.charCodeAt(end + 1);
  return separator === "." ? isDigit(further) : isWord(further);
}
