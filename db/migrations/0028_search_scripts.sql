-- Finds words in scripts that are written without spaces, emoji, and words with and without vowel marks.
ALTER TABLE "entry_search" ADD COLUMN "revision" smallint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX "entry_search_outdated" ON "entry_search" USING btree ("entry_id") WHERE "entry_search"."revision" < 1;
--> statement-breakpoint
-- What earlier revisions of the index hold, which is searched too until all entries are indexed again.
CREATE FUNCTION search_plain_before(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(
    regexp_replace(replace(written, 'ŉ', 'n'), '[''’‘ʼʻʽʹʺˈˆˋː]+', '', 'g'), '[^[:alnum:]]+', ' ', 'g');
--> statement-breakpoint
-- Returns a text as searches compare it: with one width of letters (NFKC), and without marks that tell no words apart, as
-- Hebrew and Arabic vowels, Thai tones, nuktas, and the colors of emoji. Latin accents are left to unaccent. The ranges are
-- spelled out because Postgres knows no classes of Unicode, and because they mean the same whatever its locale is.
CREATE FUNCTION search_folded(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(written) = length(written) THEN written ELSE regexp_replace(normalize(written, NFKC),
    '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u093c\u0951-\u0957\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u0e47-\u0e4e\u0ec8-\u0ecd\u1037\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-\U0001f3ff]+',
    '', 'g') END;
--> statement-breakpoint
-- Returns the ranges of a regular expression that match a glyph: a letter of a script that's written without spaces (Thai,
-- Lao, Tibetan, Myanmar, Khmer, Kana, Bopomofo, Han), of Hangul, whose words grow, or an emoji.
CREATE FUNCTION search_glyph() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN '\u0e01-\u0e46\u0e81-\u0ec6\u0f40-\u0fbc\u1000-\u103f\u1050-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff\u231a\u231b\u23e9-\u23fa\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001faff';
--> statement-breakpoint
-- Returns words separated by single spaces, as before. The vowel signs of Indic and Southeast Asian scripts belong to words
-- (the parser has them in its list, too). Glyphs are separated from other letters beside them, so that iPhone is found in iPhoneを買った.
CREATE OR REPLACE FUNCTION search_plain(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(written) = length(written)
    THEN regexp_replace(replace(written, '''', ''), '[^[:alnum:]]+', ' ', 'g')
    ELSE regexp_replace(regexp_replace(regexp_replace(search_folded(written), '[''’‘ʼʻʽʹʺˈˆˋː]+', '', 'g'),
      '[^[:alnum:]\u0900-\u0903\u093a\u093e-\u094d\u0962\u0963\u0981-\u0983\u09be-\u09c4\u09c7\u09c8\u09cb-\u09cd\u09d7\u09e2\u09e3\u09fe\u0a01-\u0a03\u0a3e-\u0a42\u0a47\u0a48\u0a4b-\u0a4d\u0a51\u0a70\u0a71\u0a75\u0a81-\u0a83\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2\u0ae3\u0afa-\u0aff\u0b01-\u0b03\u0b3e-\u0b44\u0b47\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62\u0b63\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d\u0c55\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbe-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5\u0cd6\u0ce2\u0ce3\u0d00-\u0d03\u0d3b\u0d3c\u0d3e-\u0d44\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62\u0d63\u0d81-\u0d83\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2\u0df3\u0e31\u0e34-\u0e3a\u0eb1\u0eb4-\u0ebc\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0f97\u0f99-\u0fbc\u102b-\u1036\u1038-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3]+', ' ', 'g'),
      '(?<=[' || search_glyph() || '])(?=[^ ' || search_glyph() || '])|(?<=[^ ' || search_glyph() || '])(?=[' || search_glyph() || '])',
      ' ', 'g') END;
--> statement-breakpoint
-- Returns a vector, as text, of each glyph and each two glyphs in a row, at the positions of the words that they start in. They
-- also reach across words, since nobody hears where a word ends.
CREATE FUNCTION search_glyphs(words text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN array_to_string(words, ' ') ~ ('[' || search_glyph() || ']') THEN coalesce((
    SELECT string_agg(' ''' || glyph || ''':' || least(n, 16383) || CASE WHEN next ~ ('[' || search_glyph() || ']')
      THEN ' ''' || glyph || next || ''':' || least(n, 16383) ELSE '' END, '')
    FROM (
      SELECT n, glyph, lead(glyph) OVER (ORDER BY n, i) AS next
      FROM unnest(words) WITH ORDINALITY AS said (word, n),
        unnest(string_to_array(search_folded(word), NULL)) WITH ORDINALITY AS spelled (glyph, i)
    ) AS spelled
    WHERE glyph ~ ('[' || search_glyph() || ']')), '') ELSE '' END;
--> statement-breakpoint
-- Indexes a text that isn't spoken.
CREATE FUNCTION search_text(written text, english boolean) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (search_forms(search_plain(written), english)::text
    || search_glyphs(regexp_split_to_array(written, '\s+')))::tsvector;
--> statement-breakpoint
-- Indexes a transcript as before, and its glyphs.
CREATE OR REPLACE FUNCTION search_spoken(words jsonb, english boolean) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
  BEGIN ATOMIC
    WITH said AS (
      SELECT
        string_agg(CASE WHEN plain ~ '[[:alnum:]]' THEN replace(plain, ' ', '') ELSE 'zqxblank' END, ' ') AS text,
        array_agg(n) FILTER (WHERE trim(plain) LIKE '% %') AS numbers,
        array_agg(plain) FILTER (WHERE trim(plain) LIKE '% %') AS compounds,
        array_agg(written) AS written
      FROM (
        SELECT n, written, search_plain(written) AS plain
        FROM (
          SELECT n, left(w ->> 0, 200) AS written FROM jsonb_array_elements(words) WITH ORDINALITY AS e(w, n)
        ) AS read OFFSET 0
      ) AS word
    ), parts AS (
      SELECT string_agg(
        '''' || regexp_replace(lexeme, '([''\\])', '\1\1', 'g') || ''':' || least(n, 16383), ' ') AS vector
      FROM said, unnest(numbers[1:4000], compounds[1:4000]) AS compound (n, plain), unnest(search_forms(plain, english))
    )
    SELECT setweight((
      coalesce(ts_delete(search_forms(left(said.text, 150000), english), 'zqxblank')::text, '')
        || ' ' || coalesce(parts.vector, '') || coalesce(search_glyphs(said.written), '')
    )::tsvector, 'C') FROM said, parts;
  END;
--> statement-breakpoint
-- Rebuilds the vector of an entry as before, with glyphs.
CREATE OR REPLACE FUNCTION search_refresh(wanted uuid) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
DECLARE
  entry record;
  english boolean;
  title tsvector;
  spoken tsvector;
  noted tsvector;
  tag_ids uuid[];
  shelf text;
  vector tsvector;
  said int;
BEGIN
  -- The lock comes first: of two changes at once the second then sees what the first has written.
  SELECT * INTO entry FROM entries WHERE id = wanted FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF entry.trashed_at IS NOT NULL OR entry.video_status = 'uploading' THEN
    DELETE FROM entry_search WHERE entry_id = wanted;
    RETURN;
  END IF;
  english := coalesce(entry.language, 'en') ~* '^en';
  shelf := search_shelf(entry.user_id, search_month(entry.date));
  title := search_text(entry.title, english);
  SELECT array_agg(tag_id) INTO tag_ids FROM entry_tags WHERE entry_id = wanted;
  BEGIN
    SELECT jsonb_array_length(words), search_spoken(words, english) INTO said, spoken
      FROM transcripts WHERE entry_id = wanted ORDER BY revision DESC LIMIT 1;
    SELECT search_text(left(string_agg(text, ' ' ORDER BY created_at, id), 50000), english) INTO noted
      FROM notes WHERE entry_id = wanted;
    vector := search_vector(shelf, title, tag_ids, coalesce(spoken, ''), coalesce(noted, ''));
  EXCEPTION WHEN program_limit_exceeded THEN
    -- More different words than a vector can hold (1 MB): nothing a person says, and no reason to refuse a save.
    vector := search_vector(shelf, title, tag_ids, '', '');
  END;
  INSERT INTO entry_search (entry_id, user_id, date, created_at, vector, words, revision)
    VALUES (wanted, entry.user_id, entry.date, entry.created_at, vector, coalesce(said, 0), 1)
    ON CONFLICT (entry_id) DO UPDATE
    SET user_id = excluded.user_id, date = excluded.date, created_at = excluded.created_at,
      vector = excluded.vector, words = excluded.words, revision = excluded.revision;
END $$;
