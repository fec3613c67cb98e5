import { isLower, isUpper, isWord, type Text } from "./characters.ts";

/*
 * Words near a number that say what it is. Where a checksum lets more than about one in a hundred of the numbers of its form pass, the number counts only with
 * such a word. The nearest word before the number decides; then the name of the JSON member that holds the text; then the words behind it.
 */

const BEFORE = 48;
const BEHIND = 32;
/** Of a member's name. */
const NAME = 256;

const words: Readonly<Record<string, string>> = {
  payment_card:
    "card cards creditcard debitcard cardnumber cardno ccnumber pan visa mastercard amex maestro karte kreditkarte kartennummer carte tarjeta carta cartão kaart creditcardnummer kort kortnummer karta",
  phone:
    "phone phones telephone tel mobile cellphone fax whatsapp msisdn sms phonenumber mobilenumber telefon telefonnummer handy mobil rufnummer téléphone portable teléfono móvil telefono cellulare telefoon telefone celular puhelin",
  iban: "iban ibans bankaccount bankverbindung konto kontonummer",
  ip_address: "ip ips ipv4 ipaddress ipaddr address addr host server client gateway from remote dns",
  es_dni: "dni nif documento",
  es_nie: "nie extranjero",
  it_codice_fiscale: "codicefiscale fiscale cf",
  fr_nir: "nir insee sécuritésociale securitesociale sécu vitale",
  nl_bsn: "bsn burgerservicenummer sofinummer bsnnummer",
  pl_pesel: "pesel",
  gb_nhs_number: "nhs nhsnumber nhsno",
  br_cpf: "cpf contribuinte",
  in_aadhaar: "aadhaar aadhar uidai",
  se_personnummer: "personnummer pnr personnr",
  de_tax_id: "steuerid steueridentifikationsnummer steuernummer idnr steueridnr identifikationsnummer taxid",
  ch_ahv: "ahv ahvnummer avs oasi sozialversicherungsnummer",
  be_national_number: "rijksregisternummer rijksregister registrenational nissinsz insz niss nationalnumber",
  fi_hetu: "hetu henkilötunnus",
  no_fodselsnummer: "fødselsnummer fodselsnummer fnr personnummer",
  pt_nif: "nif contribuinte nifnúmero",
  cz_sk_birth_number: "rodné rodnécíslo rodnéčíslo rodne rč",
  ro_cnp: "cnp",
  hr_oib: "oib",
  tr_kimlik: "kimlik tckn tckimlik",
  cn_resident_id: "身份证",
  mx_curp: "curp",
  sg_nric: "nric fin",
  ie_pps: "pps ppsn ppsnumber",
  ca_sin: "sin socialinsurance",
};

/** Words that stand for a national id of any country. */
const anyNationalId =
  "nationalid nationalidentifier nationalidnumber nationalinsurance personalid personalnumber personalidnumber personalcode identitynumber identitycard idcard idcardnumber citizenid taxid taxpayerid taxpayer taxnumber tin socialsecurity ssn socialinsurance";

/** Words that say that the number is something else. */
const otherNumbers =
  "order orders orderid invoice tracking parcel shipment reference ref ticket case sku isbn issn ean gtin upc imei serial batch lot transaction txn " +
  "id ids trace span request version build commit bestellung bestellnummer rechnung rechnungsnummer auftrag auftragsnummer sendungsnummer commande facture pedido ordine fattura article item product model part po";
const versions =
  "version versions v ver release build firmware driver section chapter clause revision rev paragraph update upgrade upgraded package kernel patch oid";

const against: Readonly<Record<string, ReadonlySet<string>>> = {
  ip_address: new Set(versions.split(" ")),
  iban: new Set(),
};
const againstNumbers: ReadonlySet<string> = new Set(otherNumbers.split(" "));

const meanings = new Map<string, Set<string>>();
for (const [topic, list] of Object.entries(words)) for (const word of list.split(" ")) addMeaning(word, topic);
for (const word of anyNationalId.split(" ")) addMeaning(word, "any_national_id");

function addMeaning(word: string, topic: string): void {
  const topics = meanings.get(word) ?? new Set();
  topics.add(topic);
  meanings.set(word, topics);
}

/** What the surroundings say about a number: it is one, it is something else, or nothing. */
export type Context = "for" | "against" | "silent";

/**
 * What the words around [start, end) and `name`, the name of the member that holds the text (empty when there is none), say about it being what
 * `topic` names. Reads at most 80 units of the text and 256 of the name.
 */
export function contextOf(text: Text, start: number, end: number, name: string, topic: string): Context {
  const from = Math.max(0, start - BEFORE);
  const before = verdictOf(wordsOf(text.slice(from, start), isWord(text.charCodeAt(from - 1))), topic);
  if (before !== "silent") return before;
  if (name !== "") {
    const named = verdictOf(wordsOf(name.slice(-NAME), name.length > NAME), topic);
    if (named !== "silent") return named;
  }
  const behind = wordsOf(text.slice(end, end + BEHIND), false).reverse();
  return behind.some((word, at) => means(word, topic) || means(joined(behind[at + 1], word), topic)) ? "for" : "silent";
}

/** Two words as one, unless the first is a mere letter: seconds and milliseconds, `s` and `ms`, are no short message. */
const joined = (before: string | undefined, word: string): string =>
  before === undefined || before.length < 2 ? word : before + word;

/** The verdict of the last word that has one; two or three that stand together are also tried as one ("national id number"). */
function verdictOf(found: readonly string[], topic: string): Context {
  const refuted = against[topic] ?? againstNumbers;
  for (let at = found.length - 1; at >= 0; at--) {
    const word = found[at]!;
    const pair = joined(found[at - 1], word);
    if (means(word, topic) || means(pair, topic) || means(joined(found[at - 2], pair), topic)) return "for";
    if (refuted.has(word)) return "against";
  }
  return "silent";
}

function means(word: string, topic: string): boolean {
  const topics = meanings.get(word);
  if (topics === undefined) return false;
  return topics.has(topic) || (topics.has("any_national_id") && /^[a-z]{2}_/.test(topic));
}

/** The words of a short text in small letters, in order, those of camelCase apart. Placeholders of redaction are no words. */
function wordsOf(text: string, beginsWithin: boolean): string[] {
  const found: string[] = [];
  let at = beginsWithin ? endOfWord(text, 0) : 0;
  while (at < text.length) {
    const skipped = text.charCodeAt(at) === 0x5b ? endOfPlaceholder(text, at) : -1;
    const end = skipped >= 0 ? skipped : endOfWord(text, at);
    if (skipped < 0 && end > at) found.push(text.slice(at, end).toLowerCase());
    at = Math.max(end, at + 1);
  }
  return found;
}

/** Letters, also of scripts without spaces: there the whole run is a word. */
const isLetter = (code: number): boolean =>
  isUpper(code) ||
  isLower(code) ||
  (code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && !(code >= 0x2000 && code <= 0x303f) && code < 0xff00);

function endOfWord(text: string, start: number): number {
  let at = start;
  let small = false;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isLetter(code) || (small && isUpper(code))) break;
    small = isLower(code);
  }
  return at;
}

/** Where `[words_12]` that begins at `start` ends, or -1 when no placeholder stands there. */
export function endOfPlaceholder(text: Text, start: number): number {
  let at = start + 1;
  let code = text.charCodeAt(at);
  while (isLower(code) || code === 0x5f) code = text.charCodeAt(++at);
  const digits = at;
  if (digits === start + 1 || digits > start + 20 || text.charCodeAt(digits - 1) !== 0x5f) return -1;
  while (code >= 48 && code <= 57 && at < digits + 16) code = text.charCodeAt(++at);
  return at > digits && code === 0x5d ? at + 1 : -1;
}
