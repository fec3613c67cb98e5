import type { Team } from "./schemas.ts";

const weekday = [{ from: "09:00", to: "17:00" }];

export const exampleTeam: Team = {
  team: "billing",
  title: "Billing",
  members: [{ member_id: "mbr_01jd8x0000000000000000000e", name: "Sample Operator", answers: true }],
  hours: {
    time_zone: "Europe/Vienna",
    weekly: { mon: weekday, tue: weekday, wed: weekday, thu: weekday, fri: weekday },
    holidays: ["2026-12-25"],
  },
  outside: { en: "{{team}} is closed now and answers from {{opens}} on." },
  assignment: "claim",
  targets: { waiting_seconds: 600, first_answer_seconds: 900 },
  saved_replies: [{ name: "on-it", title: "On it", text: "Hello {{user}}, I am looking into it. {{me}}" }],
  open: true,
  opens_at: null,
  revision: 1,
  created_by: "mbr_01jd8x0000000000000000000h",
  created_at: "2026-11-20T09:30:00.000Z",
  updated_at: "2026-11-20T09:30:00.000Z",
};
