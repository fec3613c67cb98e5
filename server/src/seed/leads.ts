/** A lead of the sample: an organization and a role in it, all invented; no person stands behind any of them. */
export interface SampleLead {
  readonly lead_id: string;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}

const first = [
  "Amber",
  "Birch",
  "Cobalt",
  "Drift",
  "Ember",
  "Fable",
  "Granite",
  "Harbor",
  "Indigo",
  "Juniper",
  "Kestrel",
  "Lumen",
  "Meadow",
  "Nimbus",
  "Orchard",
  "Pebble",
  "Quarry",
  "Riverbend",
  "Saffron",
  "Tundra",
];
const second = [
  "Looms",
  "Freight",
  "Ceramics",
  "Robotics",
  "Clinics",
  "Bakeries",
  "Optics",
  "Instruments",
  "Forestry",
  "Logistics",
];
const industries: Readonly<Record<string, string>> = {
  Looms: "textiles",
  Freight: "transport",
  Ceramics: "manufacturing",
  Robotics: "manufacturing",
  Clinics: "health care",
  Bakeries: "food",
  Optics: "manufacturing",
  Instruments: "manufacturing",
  Forestry: "forestry",
  Logistics: "transport",
};
const roles = [
  "head of operations",
  "purchasing manager",
  "plant engineer",
  "office manager",
  "founder",
  "intern",
  "IT lead",
  "quality manager",
];
const sources = ["website form", "pricing page", "trade fair", "partner", "newsletter", "search advertisement"];
const interests = ["Basic", "Team", "Plant", "reselling", "a position with you", "a thesis on the market"];
const starts = ["this month", "next quarter", "within six months", "next year", null];
const sizes = [6, 18, 35, 64, 120, 310, 780, 1_400, 5_200];
const countries = ["Austria", "Canada", "Denmark", "Ireland", "Japan", "Kenya", "Portugal", "Uruguay"];
const budgets = [null, 1_200, 4_800, 9_000, 24_000, 60_000, 180_000];

/** First and last number of the sample's lead ids. */
const FIRST = 1001;
const LAST = 1200;

/** The sample's 200 leads, ld_1001 to ld_1200: the same in every installation. */
export function sampleLeads(): SampleLead[] {
  return Array.from({ length: LAST - FIRST + 1 }, (_, at) => sampleLead(at));
}

function sampleLead(at: number): SampleLead {
  const next = generator(at + 1);
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  // 20 × 10 names for 200 leads: each company is there once.
  const trade = second[Math.floor(at / first.length)] as string;
  const company = `${first[at % first.length]} ${trade}`;
  const role = pick(roles);
  const interest = pick(interests);
  const budget = pick(budgets);
  const start = pick(starts);
  return {
    lead_id: `ld_${FIRST + at}`,
    fields: {
      company,
      industry: industries[trade] as string,
      employees: pick(sizes),
      country: pick(countries),
      role,
      email: `${role.toLowerCase().replaceAll(" ", ".")}@${company.toLowerCase().replace(" ", "-")}.example.com`,
      source: pick(sources),
      interest,
      budget_usd_per_year: budget,
      start,
      visits_last_30_days: next(12),
      newsletter: next(2) === 1,
      message: messageOf(interest, budget, start),
    },
  };
}

function messageOf(interest: string, budget: number | null, start: string | null): string {
  const wish = interest === "reselling" ? "We would like to resell your product." : `We are interested in ${interest}.`;
  const money = budget === null ? "" : ` We have set aside ${budget} US dollars a year.`;
  const time = start === null ? "" : ` We would start ${start}.`;
  return `${wish}${money}${time}`;
}

/** Whole numbers below a bound, by a linear congruential generator modulo 2^32 (multiplier 1664525, increment 1013904223: Numerical Recipes, 7.1.6). */
function generator(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The upper bits: the lower ones of such a generator have short periods.
    return Math.floor((state / 2 ** 32) * below);
  };
}
