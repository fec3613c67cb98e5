import { base62Checksum } from "../checksums.ts";
import type { DataKind } from "../classes.ts";
import { ibanCountries } from "../iban.ts";
import { secretFormats } from "../secret-formats.ts";
import { card, iban, nationalIdGenerators } from "./generators.ts";
import { base62, Chance, capitals, hexadecimal, urlSafe } from "./random.ts";
import { type Sample, writtenSamples } from "./written.ts";

export type { Sample } from "./written.ts";

const PER_KIND = 300;

/** Every sample: written by hand, and drawn. The same at every call. */
export function corpus(): readonly Sample[] {
  const chance = new Chance(20_260_701);
  return [...writtenSamples(), ...positives(chance), ...negatives(chance)];
}

const frames = {
  email: [
    "Write to {} please.",
    "{}",
    "from: <{}>",
    "mailto:{}?subject=hello",
    '"contact":"{}"',
    "cc {}, then close",
    "({})",
    "email={}&x=1",
  ],
  phone: ["Call {} today.", "{}", "tel:{}", "mobile: {};", "reach me at {} or by mail", '"phone":"{}"', "({})"],
  iban: ["IBAN: {}", "{}", "transfer to {} by Friday", "account {}, thanks", '"iban":"{}"', "refund→{}."],
  payment_card: ["card {}", "{}", "charged {} today", "my visa is {}, valid 12/30", '"number":"{}"', "pan={};"],
  ip_address: ["from {}", "{} - - GET /", "client {} connected", "ip={};", '"remote_addr":"{}"', "host {}, port 80"],
  national_id: ["{}"],
  secret_key: ["{}", "token={}", "Authorization: Bearer {}", '"key": "{}"', "export KEY={}; run", "use {} now", "`{}`"],
} as const satisfies Record<DataKind, readonly string[]>;

function positives(chance: Chance): Sample[] {
  const kinds = ["email", "phone", "iban", "payment_card", "ip_address", "secret_key"] as const;
  const drawn = kinds.flatMap((kind) =>
    Array.from({ length: PER_KIND }, () => sample(chance, kind, chance.pick(frames[kind]), draw[kind](chance))),
  );
  const ids = Object.keys(nationalIdGenerators).flatMap((format) =>
    Array.from({ length: 20 }, () => nationalId(chance, format)),
  );
  return [...drawn, ...ids];
}

function sample(chance: Chance, kind: DataKind, frame: string, value: string): Sample {
  const lead = chance.pick(["", "", "Note 3: ", "On 2026-03-04 at 10:15 ", "§ 4.2 "]);
  return { text: lead + frame.replace("{}", () => value), expects: [{ kind, value }], about: kind };
}

const names = ["sample.approver", "first_reader", "no-reply", "o'person", "team+tag", "a", "x1", "accounts.payable"];
const domains = [
  "example.com",
  "example.org",
  "mail.example.net",
  "sub.dept.example.co.uk",
  "xn--bcher-kva.example",
  "example.travel",
];

const draw: Readonly<Record<Exclude<DataKind, "national_id">, (chance: Chance) => string>> = {
  email: (chance) => `${chance.pick(names)}${chance.pick(["", chance.digits(2)])}@${chance.pick(domains)}`,
  phone: drawPhone,
  iban: drawIban,
  payment_card: drawCard,
  ip_address: drawAddress,
  secret_key: drawSecret,
};

/** Ranges that the regulators of the United Kingdom, North America, Germany, France, Ireland and Australia keep for fiction, in usual spellings. */
function drawPhone(chance: Chance): string {
  const n = chance.digits(2);
  return chance.pick([
    `+44 20 7946 09${n}`,
    `+44 (0)20 7946 09${n}`,
    `+442079460${n}9`,
    `+44-7700-9001${n}`,
    `+1 212 555 01${n}`,
    `+1 (415) 555-01${n}`,
    `+1-303-555-01${n}`,
    `+120255501${n}`,
    `+1.617.555.01${n}`,
    `+49 30 23125 ${n}1`,
    `+493023125${n}1`,
    `+49 171 39200 ${n}`,
    `+33 1 99 00 ${n} 12`,
    `+33639980${n}1`,
    `+353 20 910 ${n}01`,
    `+61 491 570 1${n}`,
    `+61 2 5550 ${n}11`,
    `+39 06 9876 ${n}1`,
    `+34 600 123 4${n}`,
    `+91 98765 432${n}`,
    `+55 11 98765-43${n}`,
    `+81 90 1234 56${n}`,
    `+86 138 0013 80${n}`,
    `+971 50 123 45${n}`,
  ]);
}

function drawIban(chance: Chance): string {
  const country = chance.pick([...ibanCountries.keys()]);
  const { length, made } = ibanCountries.get(country)!;
  const body = length - 4;
  const bban = made === "a" ? chance.text(capitals, 4) + chance.digits(body - 4) : chance.digits(body);
  const number = iban(country, bban);
  return chance.below(2) === 0 ? number : number.replace(/.{4}(?=.)/g, "$& ");
}

function drawCard(chance: Chance): string {
  const [prefix, length] = chance.pick([
    ["4", 16],
    ["51", 16],
    ["55", 16],
    ["2221", 16],
    ["2720", 16],
    ["34", 15],
    ["37", 15],
    ["6011", 16],
    ["65", 16],
    ["3528", 16],
    ["62", 16],
    ["2202", 16],
  ] as const);
  const number = card(chance, prefix, length);
  const separator = chance.pick(["", " ", "-"]);
  const groups = length === 15 ? [number.slice(0, 4), number.slice(4, 10), number.slice(10)] : number.match(/.{4}/g)!;
  return groups.join(separator);
}

/** Addresses that are kept for documentation: RFC 5737, RFC 3849; and private ones. */
function drawAddress(chance: Chance): string {
  const n = chance.below(255);
  const h = chance.text(hexadecimal, 3);
  return chance.pick([
    `192.0.2.${n}`,
    `198.51.100.${n}`,
    `203.0.113.${n}`,
    `10.${n}.44.7`,
    `192.168.1.${n}`,
    `172.16.${n}.9`,
    `2001:db8::${h}`,
    `2001:db8:0:${n}::1`,
    `2001:0db8:85a3:0000:0000:8a2e:0370:7${h}`,
    `fd00:1${h}::5:1`,
    `2001:DB8:A:B:C:D:E:${h}`,
  ]);
}

const alphabets = { n: base62, w: urlSafe, x: hexadecimal, u: `${capitals}234567` };

function drawSecret(chance: Chance): string {
  const kind = chance.below(8);
  if (kind === 0) {
    const body = `aos_${chance.pick(["dev", "stg", "prd"])}_${chance.text(base62, 32)}`;
    return body + base62Checksum(body);
  }
  if (kind === 1) return `eyJ${chance.text(urlSafe, 33)}.eyJ${chance.text(urlSafe, 80)}.${chance.text(urlSafe, 43)}`;
  if (kind === 2) {
    const label = chance.pick(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "]);
    const lines = Array.from({ length: 5 }, () => chance.text(`${base62}+/`, 64)).join("\n");
    return `-----${"BEGIN"} ${label}PRIVATE KEY-----\n${lines}\n-----END ${label}PRIVATE KEY-----`;
  }
  const format = chance.pick(secretFormats);
  // A word may not go on behind a key; letters and digits at both ends keep the frame's punctuation out of it.
  const body = chance.text(alphabets[format.made], format.least - 1);
  return `${format.prefix}${body}${format.made === "x" ? "7" : "K"}`;
}

const idFrames: Readonly<Record<string, string>> = {
  es_dni: "Con DNI {} y",
  es_nie: "La señora {} vive",
  it_codice_fiscale: "nato a Roma, {}, residente",
  fr_nir: "assurée {} depuis",
  nl_bsn: "BSN: {}.",
  pl_pesel: "PESEL {}",
  gb_nhs_number: "NHS number {}",
  br_cpf: "CPF {} do",
  in_aadhaar: "Aadhaar no. {}",
  se_personnummer: "Personnummer: {}",
  de_tax_id: "Steuer-ID {} liegt vor",
  ch_ahv: "versichert unter {} seit",
  be_national_number: "Rijksregisternummer {}",
  fi_hetu: "asiakas {} soitti",
  no_fodselsnummer: "fødselsnummer {}",
  pt_nif: "NIF {} do",
  cz_sk_birth_number: "rodné číslo {}",
  ro_cnp: "CNP {}",
  hr_oib: "OIB: {}",
  tr_kimlik: "T.C. Kimlik No {}",
  cn_resident_id: "身份证{}。",
  mx_curp: "la persona {} firma",
  sg_nric: "visitor {} arrived",
  ie_pps: "PPS number {}",
  ca_sin: "SIN {} on file",
};

const grouped: Readonly<Record<string, readonly number[]>> = {
  gb_nhs_number: [3, 3, 4],
  in_aadhaar: [4, 4, 4],
  de_tax_id: [2, 3, 3, 3],
  ca_sin: [3, 3, 3],
  no_fodselsnummer: [6, 5],
};
const dotted: Readonly<Record<string, RegExp>> = {
  br_cpf: /(...)(...)(...)(..)/,
  ch_ahv: /(...)(....)(....)(..)/,
  be_national_number: /(..)(..)(..)(...)(..)/,
};
const joints: Readonly<Record<string, string>> = {
  br_cpf: "$1.$2.$3-$4",
  ch_ahv: "$1.$2.$3.$4",
  be_national_number: "$1.$2.$3-$4.$5",
};

function nationalId(chance: Chance, format: string): Sample {
  let value = nationalIdGenerators[format]!(chance);
  const groups = grouped[format];
  if (groups !== undefined && chance.below(2) === 0) {
    value = value.replace(
      new RegExp(groups.map((length) => `(.{${length}})`).join("")),
      groups.map((_length, at) => `$${at + 1}`).join(" "),
    );
  }
  if (dotted[format] !== undefined && chance.below(2) === 0) value = value.replace(dotted[format], joints[format]!);
  if (format === "se_personnummer" && chance.below(2) === 0) value = `${value.slice(0, 6)}-${value.slice(6)}`;
  if (format === "cz_sk_birth_number" && chance.below(2) === 0) value = `${value.slice(0, 6)}/${value.slice(6)}`;
  return sample(chance, "national_id", idFrames[format]!, value);
}

/** What looks like data and is none. */
function negatives(chance: Chance): Sample[] {
  const draws = Array.from({ length: PER_KIND }, () =>
    Object.entries(lookalikes).map(([about, make]) => ({ text: make(chance), expects: [], about: about as DataKind })),
  );
  return draws.flat();
}

const hex = (chance: Chance, count: number): string => chance.text(hexadecimal, count);
const uuid = (chance: Chance): string => [8, 4, 4, 4, 12].map((count) => hex(chance, count)).join("-");
const version = (chance: Chance): string => [0, 0, 0].map(() => chance.below(40)).join(".");

const lookalikes: Readonly<Record<DataKind, (chance: Chance) => string>> = {
  email: (chance) =>
    chance.pick([
      `logo@${1 + chance.below(3)}x.png`,
      `npm install thing@${version(chance)}`,
      `@mention and @${hex(chance, 5)}`,
      `git clone git@example.com:team/repo-${chance.digits(3)}.git`,
      `user@localhost`,
      `5 @ 3.50 each`,
      `a@b`,
      `img${chance.digits(2)}@2x.webp`,
    ]),
  phone: (chance) =>
    chance.pick([
      `+${chance.digits(5)}`,
      `a+${chance.digits(11)}`,
      `+0${chance.digits(10)}`,
      `gained +${chance.below(999)} %`,
      `lat +${chance.between(10, 89)}.${chance.digits(7)}`,
      `@@ -1,5 +${chance.digits(3)},8 @@`,
      `2026-01-05T10:00:00+02:00`,
      `order ${chance.digits(12)}`,
      `+1 ${chance.digits(6)}`,
    ]),
  iban: (chance) =>
    chance.pick([
      `DE${chance.digits(19)}`,
      `GB${chance.between(10, 99)}${chance.text(capitals, 4)}${chance.digits(13)}`,
      `ref XK${chance.digits(10)}`,
      hex(chance, 16),
      hex(chance, 40),
      `part FR${chance.digits(4)} ${chance.digits(4)}`,
      uuid(chance),
    ]),
  payment_card: (chance) =>
    chance.pick([
      `order ${chance.digits(16)}`,
      `invoice no. ${chance.digits(15)}`,
      `1${chance.digits(15)}`,
      `EAN ${chance.digits(13)}`,
      `tracking 1Z${chance.digits(16)}`,
      `IMEI ${chance.digits(15)}`,
      uuid(chance),
      `at 17${chance.digits(11)} ms`,
      hex(chance, 64),
      `at 17${chance.digits(14)} µs`,
      `${chance.digits(20)}`,
    ]),
  ip_address: (chance) =>
    chance.pick([
      `version ${version(chance)}.${chance.below(9)}`,
      `v${version(chance)}.${chance.below(200)}`,
      `10.${chance.below(255)}.0.0/16`,
      `127.0.0.1`,
      `255.255.255.0`,
      `${version(chance)}`,
      `300.${chance.digits(2)}.1.2`,
      `12:30:${chance.between(10, 59)}`,
      `00:1b:44:11:3a:${hex(chance, 2)}`,
      `std::${chance.text("abcdef", 4)}::b`,
      `1.2.3.4.${chance.below(9)}`,
      `release 4.18.${chance.below(255)}.77`,
    ]),
  national_id: (chance) =>
    chance.pick([
      `order ${chance.digits(11)}`,
      `${chance.digits(9)}`,
      `${chance.digits(10)}`,
      `${chance.digits(11)}`,
      `${chance.digits(12)}`,
      `INV-${chance.digits(9)}`,
      `${chance.digits(8)}-${chance.digits(4)}`,
      `batch ${chance.digits(8)}${chance.pick(capitals)}`,
      `2026${chance.between(1, 12)}${chance.between(1, 28)}-${chance.digits(4)}`,
      `BSN? order ${chance.digits(9)}`,
      `17${chance.digits(8)}`,
      `${chance.digits(4)} ${chance.digits(4)} ${chance.digits(4)}`,
      `https://example.com/items/${chance.digits(9)}`,
    ]),
  secret_key: (chance) =>
    chance.pick([
      hex(chance, 40),
      hex(chance, 64),
      uuid(chance),
      `ghp_${"x".repeat(36)}`,
      `sk-learn-${chance.text("abcdef", 8)}`,
      `aos_dev_${chance.text(base62, 38)}`,
      `npm_config_registry_${chance.digits(4)}`,
      `AKIA${chance.text(capitals, 8)}`,
      `eyJ${chance.text(base62, 20)}`,
      `key_${chance.text("0123456789abcdefghjkmnpqrstvwxyz", 26)}`,
      `-----${"BEGIN"} CERTIFICATE-----`,
      `postgres://app:$PASSWORD@db/x`,
      `sk_live_your_key_here`,
      `a -----${"BEGIN"} PRIVATE KEY----- line starts a key`,
    ]),
};
