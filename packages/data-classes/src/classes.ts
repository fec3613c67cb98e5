/** How much data is protected, from least to most. */
export const dataClasses = ["public", "internal", "confidential", "personal", "restricted"] as const;
export type DataClass = (typeof dataClasses)[number];

/*
 * What is looked for, and how much it is protected. The one table: class and why (of the impact: confidential or personal counts 2, restricted 4).
 *
 * restricted     alone opens access, pays, or proves who somebody is, and cannot be taken back quickly: secrets, card numbers (PCI DSS: cardholder
 *                data), national ids
 * confidential   is given out in order to be paid, and a debit drawn on it can be returned: IBAN
 * personal       reaches or singles out a person: e-mail address, telephone number, IP address
 */
const classOfKind = {
  email: "personal",
  phone: "personal",
  ip_address: "personal",
  iban: "confidential",
  payment_card: "restricted",
  national_id: "restricted",
  secret_key: "restricted",
} as const satisfies Record<string, DataClass>;

export type DataKind = keyof typeof classOfKind;

/** Every kind of data that the detectors know. */
export const dataKinds = Object.keys(classOfKind) as readonly DataKind[];

/** The class of data that a kind belongs to. */
export function dataClassOf(kind: DataKind): DataClass {
  return classOfKind[kind];
}

/** The most protected of several classes, in the order public, internal, confidential, personal, restricted; public when there are none. */
export function maximumClass(classes: Iterable<DataClass>): DataClass {
  let highest = 0;
  for (const one of classes) highest = Math.max(highest, dataClasses.indexOf(one));
  return dataClasses[highest]!;
}

/** A place in a text that holds data of some kind. */
export interface Finding {
  readonly kind: DataKind;
  /** What it is in particular: `nl_bsn`, `visa`, `github_token`, `e164`. */
  readonly format: string;
  readonly data_class: DataClass;
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
  /** Where it ends; the unit there is no longer part of it. */
  readonly end: number;
}

/** A finding before it has its class: what a detector gives back. */
export type Found = Omit<Finding, "data_class">;
