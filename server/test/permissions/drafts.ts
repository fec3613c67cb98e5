/** Drafts and versions of agents. */
export const rows = `
                            vwr opr bld evl apr aud adm
`;
