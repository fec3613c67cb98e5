/** Deployments of agents and their pauses. */
export const rows = `
                            vwr opr bld evl apr aud adm
`;
