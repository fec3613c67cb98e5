/** The workflow that carries out a mission's plans. */
export const workflowOf = (mission: string): string => `mission-${mission}`;
