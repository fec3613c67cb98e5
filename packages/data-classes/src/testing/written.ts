import type { DataKind } from "../classes.ts";

/** A text with what stands in it: everything that a detector should report, exactly. */
export interface Sample {
  readonly text: string;
  readonly expects: readonly { readonly kind: DataKind; readonly value: string }[];
  /** Which detector the text is hard for: what it reports wrongly counts against what it reports. */
  readonly about: DataKind;
}

/*
 * Texts written by hand. A value between ⟦ ⟧ is to be found, as the kind of its list; what stands outside is not. The values are those that standards, schemes
 * and authorities publish for tests and documentation.
 */
const texts: Readonly<Record<DataKind, readonly string[]>> = {
  email: [
    "Hello, I am the new owner of ⟦sample.owner@example.com⟧, and ⟦second@example.org⟧ is gone.",
    "Reply-To: Sample Approver <⟦approver@example.com⟧>",
    "See https://example.com/@handle or ask ⟦help@example.co.uk⟧!",
    "lodash@4.17.21, react@18.2.0 and types@latest were updated",
    "retina: header@2x.png, header@3x.png",
    "'⟦o'reader@example.com⟧' wrote; so did ⟦MÜLLER@example.de⟧.",
    "ssh deploy@build and git@example.com:group/project.git",
    "twice: ⟦a@example.com⟧,⟦b@example.com⟧;⟦c@example.com⟧",
  ],
  phone: [
    "Please ring ⟦+44 20 7946 0958⟧, not extension 12.",
    "Fax ⟦+49 (0) 30 23125 012⟧ / Tel. ⟦+49 30 23125013⟧",
    "US: ⟦+1 (212) 555-0123⟧. UK: ⟦+447700900123⟧.",
    "phone ⟦0044 20 7946 0958⟧ from abroad",
    "whatsapp ⟦447700900123⟧ is quicker",
    "Revenue +1 200 000 this quarter, +12 % on last year",
    "GPS +48.8583701, +2.2944813",
    "UTC+02:00 applies, so does GMT+1",
    "The measured offset was +120 345 units and ⟦+33 1 99 00 12 34⟧ answered",
    "call ⟦+1-202-555-0143⟧ 24 hours a day",
  ],
  iban: [
    "Bitte auf ⟦DE89 3704 0044 0532 0130 00⟧ überweisen.",
    "⟦GB29NWBK60161331926819⟧ or ⟦FR1420041010050500013M02606⟧",
    "iban ⟦nl91abna0417164300⟧ (small letters)",
    "checksum wrong: DE88 3704 0044 0532 0130 00",
    "too short: GB29NWBK6016133192681",
    "⟦NO93 8601 1117 947⟧ is the shortest, ⟦MT84MALT011000012345MTLCAST001S⟧ among the longest",
    "⟦CH93-0076-2011-6238-5295-7⟧ with hyphens",
  ],
  payment_card: [
    "Paid with ⟦4111 1111 1111 1111⟧, then ⟦5555-5555-5555-4444⟧.",
    "⟦378282246310005⟧ (Amex) and ⟦6011111111111117⟧ and ⟦3530111333300000⟧",
    "my card 4111 1111 1111 1112 does not work",
    "order 4111111111111111 shipped",
    "diners card ⟦30569309025904⟧",
    "old visa ⟦4222222222222⟧ with thirteen digits",
    "barcode 4006381333931 and shipment 4012888888881881",
    "⟦4000056655665556⟧,⟦5200828282828210⟧",
    "卡号⟦6212345678900000003⟧ visa",
  ],
  ip_address: [
    "Login from ⟦203.0.113.7⟧:51234 and ⟦2001:db8::8a2e:370:7334⟧.",
    "Update to version 10.2.3.45 fixes it, so does release 4.4.180.27",
    "nameserver on 127.0.0.1, mask 255.255.255.0, network 192.0.2.0/24",
    "http://⟦198.51.100.23⟧/status answered in 12:30:45",
    "[⟦2001:db8:1::ab9:c0a8:102⟧]:443 and ⟦fe80::1ff:fe23:4567:890a⟧%eth0",
    "section 1.2.3.4 of the manual",
    "a::b and dead::beef are C++ to me; 01:23:45:67:89:ab is a network card",
  ],
  national_id: [
    "Su DNI es ⟦12345678Z⟧ y el NIE ⟦X1234567L⟧.",
    "Codice fiscale ⟦RSSMRA85T10A562S⟧",
    "BSN ⟦111222333⟧ and order 111222333",
    "PESEL ⟦44051401359⟧, numer zamówienia 44051401359x",
    "NHS number: ⟦943 476 5919⟧",
    "CPF ⟦529.982.247-25⟧ ou ⟦111.444.777-35⟧",
    "Personnummer ⟦811228-9874⟧",
    "Steuer-IdNr. ⟦86095742719⟧, Auftrag 86095742719",
    "AHV ⟦756.9217.0769.85⟧, henkilötunnus ⟦131052-308T⟧",
    "⟦2 55 08 14 168 025 38⟧ est son numéro",
    "rijksregisternummer ⟦85.07.30-033.28⟧",
    "aadhaar ⟦2341 2341 2346⟧, order 2341 2341 2346",
    "OIB ⟦33392005961⟧, T.C. kimlik ⟦10000000146⟧, SIN ⟦130-692-544⟧",
    "NRIC ⟦S1234567D⟧, PPS ⟦1234567T⟧",
    "CURP ⟦HEGG560427MVZRRL04⟧; ⟦11010519491231002X⟧",
    "national id ⟦123456782⟧",
    "NIF ⟦123456789⟧ do contribuinte",
    "ms('5s') is 5000 and ms('1y') is 31557600000",
    "1234567890, 12345678901 and 123456789 are just numbers",
  ],
  secret_key: [
    `AWS: ⟦${"AKIA"}IOSFODNN7EXAMPLE⟧ / aws_secret_access_key = ⟦wJalrXUtnFEMI/K7MDENG/${"bPxRfiCYEXAMPLEKEY"}⟧`,
    `curl -H "Authorization: Bearer ⟦${"eyJ"}hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U⟧"`,
    `⟦${"sk_test_"}4eC39HqLyjWDarjtT1zdp7dc⟧ is in every tutorial`,
    "postgres://app:⟦n0t-s0-s3cret⟧@db.example.com/app",
    "redis://:{PASSWORD}@cache/0 and https://example.com/a:b@c",
    "the prefix sk- alone, xoxb- alone, and ghp_ alone are nothing",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    `a fence of ----- and ${"-----BEGIN"} PUBLIC KEY-----`,
  ],
};

/** The texts as samples. */
export function writtenSamples(): Sample[] {
  return Object.entries(texts).flatMap(([about, list]) => list.map((text) => readMarks(text, about as DataKind)));
}

function readMarks(marked: string, kind: DataKind): Sample {
  const expects = [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map((match) => ({ kind, value: match[1]! }));
  return { text: marked.replace(/[⟦⟧]/g, ""), expects, about: kind };
}
