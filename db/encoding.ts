/** What a database says about how it reads text. */
export interface TextSupport extends Record<string, unknown> {
  encoding: string;
  ctype: string;
  /** Whether letters outside of ASCII count as letters, as search's functions tell words apart. */
  knows_letters: boolean;
}

/**
 * Reads the encoding, and tries what the migrations' `search_plain` does: the locale's name doesn't tell, because since
 * Postgres 17 its provider may know letters that its LC_CTYPE doesn't.
 */
export const SELECT_TEXT_SUPPORT = `
  select pg_encoding_to_char(encoding) as encoding, datctype as ctype,
    regexp_replace('Müller', '[^[:alnum:]]+', ' ', 'g') = 'Müller' as knows_letters
  from pg_database where datname = current_database()`;

const HOW_TO_CREATE =
  'Create a database from template0 with UTF-8 and the locale C.UTF-8, as “Encoding” in docs/settings.md shows.';

/** Returns why words would be stored or indexed wrongly, in sentences for the operator; undefined if they wouldn't. */
export function describeEncodingProblem({ encoding, ctype, knows_letters }: TextSupport): string | undefined {
  if (encoding !== 'UTF8')
    return `The database’s encoding is ${encoding}, but Daylight needs UTF8. Otherwise search breaks words such as “Müller” into pieces. ${HOW_TO_CREATE}`;
  if (!knows_letters)
    return `The database’s locale (LC_CTYPE ${ctype}) only knows ASCII letters, so search breaks words such as “Müller” into pieces. ${HOW_TO_CREATE}`;
  return undefined;
}
