/** What people do with approvals besides voting. */
export const rows = `
                            vwr opr bld evl apr aud adm
`;
