/** What to say for a SQLSTATE; without one of these, the database doesn't answer. */
const PROBLEMS: Record<string, string> = {
  '28P01': 'Postgres rejected the password in DATABASE_URL.',
  '28000': 'Postgres rejected the user in DATABASE_URL.',
  '3D000': 'The database named in DATABASE_URL doesn’t exist. Create it, or fix DATABASE_URL.',
};

/** Returns why the database can't be used, in sentences for the operator. @param code a SQLSTATE or the driver's code */
export const describeConnectionProblem = (code = ''): string =>
  PROBLEMS[code] ??
  `The database isn’t responding${code ? ` (${code})` : ''}. Start it, or fix DATABASE_URL.`;
