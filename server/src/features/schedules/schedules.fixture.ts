import { expect } from "vitest";
import type { CallOptions, TestApp } from "../../testing/app.ts";

const path = "/v1/agents/sales/schedules";
const work = { task: "qualify_lead", input: { lead_id: "ld_1001" }, schedule: "* * * * *" };

/** Makes a schedule of the sample's agent, every minute by default. */
export async function scheduled(app: TestApp, body: object = {}, options: CallOptions = {}) {
  const made = await app.call("POST", path, { ...options, body: { ...work, ...body } });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

export const create = (app: TestApp, body: object, options: CallOptions = {}) =>
  app.call("POST", path, { ...options, body: { ...work, ...body } });
export const change = (app: TestApp, id: string, body: object, options: CallOptions = {}) =>
  app.call("PATCH", `${path}/${id}`, { ...options, body });

/** A schedule as it is listed. */
export const read = async (app: TestApp, id: string) =>
  (await app.call("GET", path)).body.data.find((one: { schedule_id: string }) => one.schedule_id === id);

/** Its tasks as they are stored, the oldest first. */
export const tasksOf = async ({ pool }: TestApp, id: string) =>
  (await pool.query("select * from tasks where $1 = any(labels) order by id", [`schedule:${id}`])).rows;

/** Makes a schedule due at a time, as if its time had come. */
export async function dueAt({ pool }: TestApp, id: string, at: Date): Promise<void> {
  await pool.query("update agent_schedules set next_at = $2 where id = $1", [id, at]);
}

/** The minute that has begun, and those before it. */
export const minute = (ago = 0): Date => new Date(Math.floor(Date.now() / 60_000 - ago) * 60_000);
