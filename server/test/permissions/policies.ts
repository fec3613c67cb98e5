/** Policies, their simulation, and violations. */
export const rows = `
                            vwr opr bld evl apr aud adm
`;
