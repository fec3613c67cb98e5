import { type Chance, capitals } from "./random.ts";

/*
 * Numbers with valid checksums, built the way their issuers build them: a body is drawn and the check digits are computed for it. Nothing here uses the
 * detectors' own arithmetic, which runs the other way. None is anybody's: bodies are drawn by chance.
 */

const sum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
const modulo = (number: bigint | number, divisor: number): number =>
  Number(((BigInt(number) % BigInt(divisor)) + BigInt(divisor)) % BigInt(divisor));
const two = (number: number): string => String(number).padStart(2, "0");

/** Draws until what comes out is valid: for ids some of whose bodies have no check digit. */
function until(draw: () => string | null): string {
  for (;;) {
    const drawn = draw();
    if (drawn !== null) return drawn;
  }
}

export function withLuhn(body: string): string {
  const total = [...body]
    .reverse()
    .reduce((so, digit, at) => so + (at % 2 === 0 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)]! : Number(digit)), 0);
  return body + modulo(-total, 10);
}

export function iban(country: string, bban: string): string {
  const numeric = [...`${bban}${country}00`].map((character) => Number.parseInt(character, 36)).join("");
  return `${country}${two(98 - modulo(BigInt(numeric), 97))}${bban}`;
}

export function card(chance: Chance, prefix: string, length: number): string {
  return withLuhn(prefix + chance.digits(length - prefix.length - 1));
}

function withMod11And10(body: string): string {
  let product = 10;
  for (const digit of body) product = (((Number(digit) + product) % 10 || 10) * 2) % 11;
  return body + modulo(11 - product, 10);
}

/** Verhoeff's published tables: the check digit is the inverse of the product. */
function withVerhoeff(body: string): string {
  const product =
    "0123456789 1234067895 2340178956 3401289567 4012395678 5987604321 6598710432 7659821043 8765932104 9876543210".split(
      " ",
    );
  const permuted = "0123456789 1576283094 5803796142 8916043527 9453126870 4286573901 2793806415 7046913258".split(" ");
  const check = [...body]
    .reverse()
    .reduce((so, digit, at) => Number(product[so]![Number(permuted[(at + 1) % 8]![Number(digit)])]), 0);
  return body + "0432156789"[check];
}

const spanish = "TRWAGMYFPDXBNJZSQVHLCKE";

function codiceFiscale(chance: Chance): string {
  const name = chance.text("BCDFGLMNPRSTVZ", 6);
  const day = chance.below(2) * 40 + 1 + chance.below(28);
  const body = `${name}${chance.between(40, 99)}${chance.pick("ABCDEHLMPRST")}${two(day)}${chance.pick("ABCDEFGHIL")}${chance.digits(3)}`;
  const odd = "1 0 5 7 9 13 15 17 19 21 1 0 5 7 9 13 15 17 19 21 2 4 18 20 11 3 6 8 12 14 16 10 22 25 24 23"
    .split(" ")
    .map(Number);
  const even = "0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"
    .split(" ")
    .map(Number);
  const total = [...body].reduce(
    (so, character, at) => so + (at % 2 === 0 ? odd : even)["0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".indexOf(character)]!,
    0,
  );
  return body + capitals[total % 26];
}

function nir(chance: Chance, corsica: string): string {
  const start = `${chance.pick("12")}${chance.between(10, 99)}${chance.between(1, 12)}`;
  const end = chance.digits(6);
  const numeric = corsica === "" ? chance.between(1, 95) : corsica === "2A" ? "19" : "18";
  return `${start}${corsica || numeric}${end}${two(97 - modulo(BigInt(start + numeric + end), 97))}`;
}

function bsn(chance: Chance): string {
  return until(() => {
    const body = `${1 + chance.below(8)}${chance.digits(7)}`;
    const check = sum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    return check === 10 ? null : body + check;
  });
}

function nhs(chance: Chance): string {
  return until(() => {
    const body = `9${chance.digits(8)}`;
    const check = 11 - (sum(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
    return check === 10 ? null : body + (check % 11);
  });
}

function cpf(chance: Chance): string {
  const digit = (body: string): string => {
    const rest =
      sum(
        body,
        Array.from({ length: body.length }, (_, at) => body.length + 1 - at),
      ) % 11;
    return body + (rest < 2 ? 0 : 11 - rest);
  };
  return digit(digit(`${1 + chance.below(9)}${chance.digits(8)}`));
}

function germanTaxId(chance: Chance): string {
  const digits = [..."0123456789"];
  for (let at = 9; at > 0; at--) {
    const other = chance.below(at + 1);
    [digits[at], digits[other]] = [digits[other]!, digits[at]!];
  }
  // One digit twice, another not at all, and no 0 in front.
  digits[9] = digits[chance.below(9)]!;
  if (digits[0] === "0") digits.push(digits.shift()!);
  return withMod11And10(digits.join(""));
}

function fodselsnummer(chance: Chance): string {
  return until(() => {
    const body = `${chance.between(1, 28)}${chance.between(1, 12)}${chance.between(50, 99)}${chance.digits(3)}`;
    const first = modulo(-sum(body, [3, 7, 6, 1, 8, 9, 4, 5, 2]), 11);
    const second = modulo(-sum(`${body}${first}`, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]), 11);
    return first === 10 || second === 10 ? null : `${body}${first}${second}`;
  });
}

function birthNumber(chance: Chance): string {
  return until(() => {
    const body = `${chance.between(54, 99)}${two(1 + chance.below(12) + 50 * chance.below(2))}${chance.between(1, 28)}${chance.digits(3)}`;
    const check = modulo(-(BigInt(body) * 10n), 11);
    return check === 10 ? null : body + check;
  });
}

function kimlik(chance: Chance): string {
  const body = `${1 + chance.below(9)}${chance.digits(8)}`;
  const odd = sum(body, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = sum(body, [0, 1, 0, 1, 0, 1, 0, 1, 0]);
  const tenth = modulo(7 * odd - even, 10);
  return `${body}${tenth}${(odd + even + tenth) % 10}`;
}

function curp(chance: Chance): string {
  const born = `${chance.between(50, 99)}${chance.between(1, 12)}${chance.between(1, 28)}`;
  const body = `${chance.text("ABCDEFGLMNPR", 4)}${born}${chance.pick("HM")}${chance.pick(["DF", "JC", "NL", "PL"])}${chance.text("BCDFGLMNPRST", 3)}0`;
  const total = [...body].reduce(
    (so, character, at) => so + "0123456789ABCDEFGHIJKLMN*OPQRSTUVWXYZ".indexOf(character) * (18 - at),
    0,
  );
  return body + modulo(-total, 10);
}

function nric(chance: Chance): string {
  const kind = chance.pick("STFG");
  const body = chance.digits(7);
  const total = sum(body, [2, 7, 6, 5, 4, 3, 2]) + (kind === "T" || kind === "G" ? 4 : 0);
  return kind + body + (kind < "H" ? "XWUTRQPNMLK" : "JZIHGFEDCBA")[total % 11];
}

const born = (chance: Chance): string => `${chance.between(50, 99)}${chance.between(1, 12)}${chance.between(1, 28)}`;

/** One valid id of each format, without separators. */
export const nationalIdGenerators: Readonly<Record<string, (chance: Chance) => string>> = {
  es_dni: (chance) => {
    const body = chance.digits(8);
    return body + spanish[Number(body) % 23];
  },
  es_nie: (chance) => {
    const lead = chance.below(3);
    const body = chance.digits(7);
    return "XYZ"[lead] + body + spanish[Number(`${lead}${body}`) % 23];
  },
  it_codice_fiscale: codiceFiscale,
  fr_nir: (chance) => nir(chance, chance.pick(["", "", "", "2A", "2B"])),
  nl_bsn: bsn,
  pl_pesel: (chance) => {
    const body = born(chance) + chance.digits(4);
    return body + modulo(-sum(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]), 10);
  },
  gb_nhs_number: nhs,
  br_cpf: cpf,
  in_aadhaar: (chance) => withVerhoeff(`${2 + chance.below(8)}${chance.digits(10)}`),
  se_personnummer: (chance) => withLuhn(born(chance) + chance.digits(3)),
  de_tax_id: germanTaxId,
  ch_ahv: (chance) => {
    const body = `756${chance.digits(9)}`;
    return body + modulo(-sum(body, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]), 10);
  },
  be_national_number: (chance) => {
    const body = born(chance) + chance.digits(3);
    return body + two(97 - (Number(body) % 97));
  },
  fi_hetu: (chance) => {
    const day = `${chance.between(1, 28)}${chance.between(1, 12)}`;
    const year = chance.between(0, 23);
    const serial = chance.digits(3);
    return `${day}${year}A${serial}${"0123456789ABCDEFHJKLMNPRSTUVWXY"[Number(day + year + serial) % 31]}`;
  },
  no_fodselsnummer: fodselsnummer,
  pt_nif: (chance) => {
    const body = `${chance.pick("123")}${chance.digits(7)}`;
    const rest = sum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    return body + (rest < 2 ? 0 : 11 - rest);
  },
  cz_sk_birth_number: birthNumber,
  ro_cnp: (chance) => {
    const body = `${chance.pick("12")}${born(chance)}${chance.between(10, 46)}${chance.digits(3)}`;
    const rest = sum(body, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
    return body + (rest === 10 ? 1 : rest);
  },
  hr_oib: (chance) => withMod11And10(chance.digits(10)),
  tr_kimlik: kimlik,
  cn_resident_id: (chance) => {
    const body = `${chance.pick("12345")}1${chance.digits(4)}19${born(chance)}${chance.digits(3)}`;
    return body + "10X98765432"[sum(body, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11];
  },
  mx_curp: curp,
  sg_nric: nric,
  ie_pps: (chance) => {
    const body = chance.digits(7);
    const second = chance.pick(["", "A", "H"]);
    const total = sum(body, [8, 7, 6, 5, 4, 3, 2]) + (second === "" ? 0 : (second.charCodeAt(0) - 64) * 9);
    return body + "WABCDEFGHIJKLMNOPQRSTUV"[total % 23] + second;
  },
  ca_sin: (chance) => withLuhn(`${1 + chance.below(7)}${chance.digits(7)}`),
};
