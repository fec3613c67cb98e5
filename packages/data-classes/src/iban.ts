import { isAlphanumeric, isDigit, isLower, isUpper, isWord, separatorOf, type Text } from "./characters.ts";
import { passesIbanChecksum } from "./checksums.ts";
import type { Found } from "./classes.ts";
import { contextOf } from "./context.ts";

/*
 * Lengths from the IBAN registry (ISO 13616; SWIFT is its registration authority), with what the part behind the check digits (BBAN) is made of:
 * n digits only, a four letters first, c anything. The second row: countries that use the form without being registered.
 */
const table =
  "AD24c AE23n AL28c AT20n AZ28a BA20n BE16n BG22a BH22a BI27n BR29c BY28c CH21c CR22n CY28c CZ24n DE22n DJ27n DK18n DO28c EE20n EG29n ES24n FI18n FK18c " +
  "FO18n FR27c GB22a GE22c GI23a GL18n GR27c GT28c HN28a HR21n HU28n IE22a IL23n IQ23a IS26n IT27c JO30a KW30a KZ20c LB28c LC32a LI21c LT20n LU20c LV21a " +
  "LY25n MC27c MD24c ME22n MK19c MN20n MR27n MT31a MU30a NI28a NL18a NO15n OM23c PK24a PL28n PS29a PT25n QA29a RO24a RS22n RU33c SA24c SC31a SD18n SE24n " +
  "SI19n SK24n SM27c SO23n ST25n SV28a TL23n TN24n TR26c UA29c VA22n VG24a XK20n YE30a " +
  "AO25n BF28c BJ28c CF27n CG27n CI28c CM27n CV25n DZ26n GA27n GQ27n GW25c IR26n KM27n MA28n MG27n ML28c MZ25n NE28c SN28c TD27n TG28c";

interface Bban {
  /** Of the whole IBAN. */
  readonly length: number;
  readonly made: string;
}

/** What an IBAN of each country looks like. */
export const ibanCountries: ReadonlyMap<string, Bban> = new Map(
  table.split(" ").map((entry) => [entry.slice(0, 2), { length: Number(entry.slice(2, 4)), made: entry.slice(4) }]),
);

/**
 * An IBAN that begins at `start`, where two letters and two digits are known to stand: in electronic form, or in the printed form of groups of
 * four. Small letters count only where a word nearby says that it is an IBAN.
 */
export function ibanAt(text: Text, start: number, name: string): Found | null {
  const country = text.slice(start, start + 2).toUpperCase();
  const bban = ibanCountries.get(country);
  if (bban === undefined) return null;
  const end = endOfIban(text, start, bban.length);
  if (end < 0 || isWord(text.charCodeAt(end))) return null;
  const written = compact(text, start, end);
  const iban = written.toUpperCase();
  if (!isMadeOf(iban, bban.made) || !passesIbanChecksum(iban)) return null;
  if (written !== iban && contextOf(text, start, end, name, "iban") !== "for") return null;
  return { kind: "iban", format: "iban", start, end };
}

/** Where `length` letters and digits end, in one piece or with the same separator after every fourth; -1 when they are not there. */
function endOfIban(text: Text, start: number, length: number): number {
  const separator = separatorOf(text.charCodeAt(start + 4));
  if (separator !== "" && separator !== " " && separator !== "-") return -1;
  let at = start;
  for (let count = 0; count < length; count++) {
    if (separator !== "" && count > 0 && count % 4 === 0) {
      if (separatorOf(text.charCodeAt(at)) !== separator) return -1;
      at++;
    }
    if (!isAlphanumeric(text.charCodeAt(at))) return -1;
    at++;
  }
  return at;
}

function compact(text: Text, start: number, end: number): string {
  let characters = "";
  for (const character of text.slice(start, end)) if (isAlphanumeric(character.charCodeAt(0))) characters += character;
  return characters;
}

function isMadeOf(iban: string, made: string): boolean {
  if (made === "c") return true;
  const least = made === "a" ? 8 : iban.length;
  for (let at = 4; at < least; at++) if (isDigit(iban.charCodeAt(at)) !== (made === "n")) return false;
  return true;
}

/** Whether two letters and two digits stand at `start`: what every IBAN begins with. */
export function beginsLikeIban(text: Text, start: number): boolean {
  const isLetter = (code: number): boolean => isUpper(code) || isLower(code);
  return (
    isLetter(text.charCodeAt(start)) &&
    isLetter(text.charCodeAt(start + 1)) &&
    isDigit(text.charCodeAt(start + 2)) &&
    isDigit(text.charCodeAt(start + 3))
  );
}
