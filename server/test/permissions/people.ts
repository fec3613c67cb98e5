/** Members and settings. */
export const rows = `
                            vwr opr bld evl apr aud adm
`;
