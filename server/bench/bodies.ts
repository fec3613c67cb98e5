/** The dispatch that everything is measured with. The lead varies over the sample's 200. */
export function dispatchBody(lead: number): { task: string; lead_id: string; require_approval: boolean } {
  return { task: "qualify_lead", lead_id: `ld_${1001 + (lead % 200)}`, require_approval: true };
}

/** Dispatches one task over HTTP; answers its four members. */
export async function dispatchOne(url: string, key: string, lead = 0): Promise<{ task_id: string; audit_ref: string }> {
  const response = await fetch(`${url}/v1/agents/sales/tasks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(dispatchBody(lead)),
  });
  if (response.status !== 202) throw new Error(`a dispatch answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { task_id: string; audit_ref: string };
}
