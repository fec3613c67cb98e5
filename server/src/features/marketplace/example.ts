import type {
  Install,
  InstallPreview,
  InstallResult,
  InstallSummary,
  Listing,
  ListingDetail,
  ListingPermission,
  ListingPublisher,
  ListingReport,
  ListingReview,
  ListingScan,
  ListingVersion,
  Recall,
  Scorecard,
} from "./schemas.ts";

const member = "mbr_01jd8x0000000000000000000e";
const reviewer = "mbr_01jd8x0000000000000000000f";
export const exampleListingId = "lst_01jd8x0000000000000000000m";
export const exampleInstallId = "ins_01jd8x0000000000000000000n";
const at = (time: string): string => `2026-11-23T${time}.000Z`;
const sha = (digit: string): string => digit.repeat(64);
export const exampleDigest = `sha256:${sha("3")}`;
const keyId = `sha256:${sha("7")}`;
const permissionsDigest = sha("5");
export const exampleVersion = "1.0.0";
const named = { name: "support-routing", title: "Support routing" };

const scan = { error: 0, warning: 0, note: 1 };

const exampleScorecard: Scorecard = {
  model: "builtin",
  datasets: [
    {
      name: "routing-cases",
      digest: sha("1"),
      items: 132,
      data: "132 messages written for this starter by its publisher, before any score was looked at.",
    },
  ],
  training: { examples: 276, digest: sha("2") },
  results: [
    {
      dataset: "routing-cases",
      scorer: "routed-right",
      scorer_digest: sha("4"),
      items: 132,
      mean: 0.735,
      low: 0.66,
      high: 0.81,
      confidence: 0.95,
    },
  ],
  gate: { floor: 0.6, tolerance: 0.05, state: "open" },
  made_at: at("09:00:00"),
  service_version: "0.1.0",
};

const examplePermissions: ListingPermission[] = [
  {
    id: "model:builtin",
    kind: "model",
    level: "low",
    text: "Runs on the built-in model: nothing leaves this installation.",
    value: { provider: "builtin" },
  },
  {
    id: "data:confidential",
    kind: "data",
    level: "elevated",
    text: "Reads confidential data.",
    value: { data: "confidential" },
  },
  {
    id: "budget:route_message",
    kind: "budget",
    level: "low",
    text: "A task of route_message may cost up to 0.01 US dollars.",
    value: { skill: "route_message", cost_usd: 0.01 },
  },
];

const publisher = {
  publisher_id: "pub_01jd8x0000000000000000000p",
  name: "Example Works",
  own: false,
  key_id: keyId,
  pinned: true,
};

export const exampleListingVersion: ListingVersion = {
  version: exampleVersion,
  digest: exampleDigest,
  bytes: 61_440,
  state: "approved",
  reason: "Read and tried.",
  changes: null,
  note: null,
  scan,
  submitted_by: member,
  reviewed_by: reviewer,
  reviewed_at: at("10:00:00"),
  review_strict: true,
  created_at: at("09:30:00"),
};

export const exampleListing: Listing = {
  listing_id: exampleListingId,
  ...named,
  kind: "agent",
  business_function: "Customer service",
  publisher,
  summary: "Says to which team a message belongs, and how urgent it is.",
  visibility: "public",
  origin: "imported",
  state: "approved",
  version: exampleVersion,
  digest: exampleDigest,
  scorecard: exampleScorecard,
  scan,
  rating: { mean: 4.5, ratings: 2 },
  installs: 1,
  created_at: at("09:30:00"),
  updated_at: at("10:00:00"),
};

export const exampleListingDetail: ListingDetail = {
  ...exampleListing,
  license: "Apache-2.0",
  readme: "# Support routing\n\nSays to which team a message belongs.",
  limits: ["English only."],
  requires: { connections: [], notes: ["No connection and no model provider is needed."] },
  permissions: examplePermissions,
  permissions_digest: permissionsDigest,
  signature: { verified: true, key_id: keyId, keys: [keyId], signed_at: at("09:00:00") },
  files: [{ path: "bundle.json", bytes: 900, digest: sha("6") }],
  versions: [exampleListingVersion],
  open_reports: 0,
  revision: 2,
};

export const exampleListingPublisher: ListingPublisher = {
  publisher_id: publisher.publisher_id,
  name: publisher.name,
  own: false,
  pinned: { key_id: keyId, at: at("10:05:00"), by: member },
  keys: [
    {
      key_id: keyId,
      public_key: "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
      signs: true,
      vouched_by: null,
    },
  ],
  listings: 1,
  created_at: at("09:30:00"),
};

export const exampleScan: ListingScan = {
  listing_id: exampleListingId,
  version: exampleVersion,
  digest: exampleDigest,
  counts: scan,
  scanned_at: at("09:30:00"),
  sarif: { version: "2.1.0", runs: [] },
};

export const exampleReview: ListingReview = {
  member,
  stars: 5,
  text: "Routes four of five messages right.",
  version: exampleVersion,
  installed: true,
  created_at: at("12:00:00"),
  updated_at: at("12:00:00"),
};

export const exampleReport: ListingReport = {
  report_id: "abr_01jd8x0000000000000000000q",
  listing_id: exampleListingId,
  version: exampleVersion,
  kind: "misleading",
  detail: "It says German; it knows English only.",
  reported_by: member,
  created_at: at("12:30:00"),
};

export const exampleRecall: Recall = {
  recall_id: "rcl_01jd8x0000000000000000000r",
  kind: "recall",
  listing_id: exampleListingId,
  ...named,
  versions: [{ version: exampleVersion, digest: exampleDigest }],
  reason: "It sends messages to the wrong team.",
  by: reviewer,
  at: at("13:00:00"),
  lifted_at: null,
  done: true,
  installs: 1,
  stopped: [
    {
      environment: "production",
      install_id: exampleInstallId,
      kind: "agent",
      target: "support-routing",
      kill_switch_id: "ksw_01jd8x0000000000000000000s",
      at: at("13:00:01"),
      tasks_ended: 3,
      seconds: 1.4,
    },
  ],
};

export const examplePreview: InstallPreview = {
  listing_id: exampleListingId,
  ...named,
  kind: "agent",
  version: exampleVersion,
  digest: exampleDigest,
  publisher,
  key_change: "same",
  permissions: examplePermissions,
  permissions_digest: permissionsDigest,
  difference: null,
  parts: [
    {
      kind: "agent",
      name: "support-routing",
      file: "agent.yaml",
      action: "create",
      operation: "agents.createAgent",
      permission: "agents:write",
      permitted: true,
      taken: false,
    },
  ],
  connections: [],
  scan,
  limits: ["English only."],
  faults: [],
};

export const exampleInstallSummary: InstallSummary = {
  install_id: exampleInstallId,
  listing_id: exampleListingId,
  ...named,
  kind: "agent",
  publisher_id: publisher.publisher_id,
  version: exampleVersion,
  digest: exampleDigest,
  suffix: "",
  state: "installed",
  update: null,
  drift: "none",
  recall: null,
  installed_by: member,
  created_at: at("11:00:00"),
  updated_at: at("11:00:02"),
};

export const exampleInstall: Install = {
  ...exampleInstallSummary,
  agent: "support-routing",
  parts: [
    {
      kind: "agent",
      name: "support-routing",
      id: null,
      file: "agent.yaml",
      state: "made",
      drift: "none",
      problem: null,
      audit_ref: "aud_01jd8x0000000000000000000t",
      link: "https://aos.example/agents/support-routing",
    },
  ],
  consent: { permissions: examplePermissions, publisher_key: keyId, by: member, at: at("11:00:00") },
  next_steps: [
    {
      step: "train",
      title: "Train route_message on 276 examples",
      done: false,
      operation: "agents.startTraining",
      params: { agent: "support-routing" },
      body: { skill: "route_message", version: 1, dataset: "support-routing-route-message-training" },
      if_match: null,
    },
  ],
  readme: exampleListingDetail.readme,
  revision: 1,
};

export const exampleInstallResult: InstallResult = {
  install: exampleInstall,
  results: [
    {
      kind: "agent",
      name: "support-routing",
      action: "create",
      status: 201,
      audit_ref: "aud_01jd8x0000000000000000000t",
      note: null,
      problem: null,
    },
  ],
  succeeded: 1,
  failed: 0,
};
