import { expect, it } from "vitest";
import type { Team } from "../../../api/teams.ts";
import { bodyOf, draftOf, emptyDraft, faultAt, faultsOf } from "./draft.ts";

const day = [
  { from: "09:00", to: "12:00" },
  { from: "13:00", to: "24:00" },
];
const team: Team = {
  team: "billing",
  title: "Billing",
  members: [{ member_id: "mbr_1", name: "Ada", answers: true }],
  hours: { time_zone: "Europe/Vienna", weekly: { mon: day, sun: day }, holidays: ["2026-12-25", "2026-12-26"] },
  outside: { en: "Back on {{opens}}.", "de-AT": "Ab {{opens}}." },
  assignment: "round_robin",
  targets: { waiting_seconds: 90 },
  saved_replies: [{ name: "hello", title: "Hello", text: "Hello {{user}}" }],
  open: true,
  opens_at: null,
  revision: 3,
  created_by: "mbr_1",
  created_at: "2026-11-20T09:30:00.000Z",
  updated_at: "2026-11-20T09:30:00.000Z",
};

it("saves a team that nobody changed as it was, with all that it has", () => {
  const { title, hours, outside, assignment, targets, saved_replies } = team;
  expect(bodyOf(draftOf(team, "UTC"))).toEqual({
    title,
    members: ["mbr_1"],
    hours,
    outside,
    assignment,
    targets,
    saved_replies,
  });
});

it("reads times as people write them, and says at its day what cannot be read", () => {
  const draft = { ...emptyDraft("UTC"), title: "T", always: false };
  const weekly = { ...draft.weekly, mon: "8:30 – 12:00,13:00-17:00", tue: "", wed: "from nine" };
  const faults = faultsOf({ ...draft, weekly });
  expect([...faults.keys()]).toEqual(["/hours/weekly/wed"]);
  expect(bodyOf({ ...draft, weekly: { ...weekly, wed: "" } }).hours?.weekly).toMatchObject({
    mon: [
      { from: "08:30", to: "12:00" },
      { from: "13:00", to: "17:00" },
    ],
    thu: [{ from: "09:00", to: "17:00" }],
  });
});

it("takes each language once", () => {
  const outside = ["en", "de", "en", ""].map((language) => ({ language, text: "Later." }));
  expect([...faultsOf({ ...emptyDraft("UTC"), outside }).keys()]).toEqual(["/outside/2", "/outside/3"]);
});

it("shows at a field what the service found inside it, and not what it found at a longer name", () => {
  const found = [{ pointer: "/hours/weekly/mon/0", detail: "must end after it begins" }];
  expect(faultAt("/hours/weekly/mon", new Map(), found)).toBe("must end after it begins");
  expect(faultAt("/hours/week", new Map(), found)).toBeNull();
});
