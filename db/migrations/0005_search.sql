-- How entry_search is kept. Its vector holds, each lexeme preceded by the shelf it stands on (owner and month of the
-- entry, six characters), so that a lookup touches one person's one month and never everybody's words:
--   word    what was said (weight C, the position is the number of the word), title (A), notes (D); English by its
--           stem and as it is written, other languages as they are written
--   ^word   the title once more, to find those first that have a match there
--   #id     the tags (B), by id: renaming or deleting a tag touches no vector
--   *       every entry, for searches that only leave out
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Keeps "the" and "of": a phrase in quotation marks may need them, and what is no phrase leaves them out itself.
CREATE TEXT SEARCH DICTIONARY daylight_english_stem (TEMPLATE = snowball, LANGUAGE = english);
--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION daylight_english (COPY = english);
--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION daylight_english
  ALTER MAPPING FOR asciiword, word, numword, hword, hword_part, hword_asciipart, asciihword
  WITH unaccent, daylight_english_stem;
--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION daylight_written (COPY = simple);
--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION daylight_written
  ALTER MAPPING FOR asciiword, word, numword, hword, hword_part, hword_asciipart, asciihword
  WITH unaccent, simple;
--> statement-breakpoint
-- Months are numbered through: twelve times the year, and from 0 for January. Two shelves that happen to share
-- their six characters cost a few rows read in vain, as the owner and the date are compared besides.
CREATE FUNCTION search_month(day date) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (extract(year FROM day) * 12 + extract(month FROM day) - 1)::int;
--> statement-breakpoint
CREATE FUNCTION search_shelf(owner uuid, month int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN left(md5(owner::text || '/' || month::text), 6);
--> statement-breakpoint
-- Words between single spaces, without apostrophes (don't is one word, and the same with any of them).
CREATE FUNCTION search_plain(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(regexp_replace(written, '[''’‘ʼ]+', '', 'g'), '[^[:alnum:]]+', ' ', 'g');
--> statement-breakpoint
-- Both forms of every word, at the same positions.
CREATE FUNCTION search_forms(plain text, english boolean) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN english
    THEN (to_tsvector('daylight_written', plain)::text || ' ' || to_tsvector('daylight_english', plain)::text)::tsvector
    ELSE to_tsvector('daylight_written', plain) END;
--> statement-breakpoint
-- What was said. Every word takes exactly one position, so that a position leads back to the word and its time:
-- mother-in-law stands there as motherinlaw, with its parts at the same position, and a lone dash as a blank.
CREATE FUNCTION search_spoken(words jsonb, english boolean) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
  BEGIN ATOMIC
    WITH said AS (
      SELECT n, search_plain(left(w ->> 0, 200)) AS plain
      FROM jsonb_array_elements(words) WITH ORDINALITY AS e(w, n)
    ), parts AS (
      SELECT string_agg('''' || lexeme || ''':' || least(n, 16383), ' ') AS vector
      FROM said, unnest(search_forms(plain, english))
      WHERE trim(plain) LIKE '% %'
    )
    SELECT setweight((
      coalesce(ts_delete(search_forms(left((
        SELECT string_agg(coalesce(nullif(replace(plain, ' ', ''), ''), 'zqxblank'), ' ' ORDER BY n) FROM said
      ), 150000), english), 'zqxblank')::text, '') || ' ' || coalesce((SELECT vector FROM parts), '')
    )::tsvector, 'C');
  END;
--> statement-breakpoint
-- A vector as text, its lexemes preceded by a prefix. They hold letters and digits only, so no quotation marks.
CREATE FUNCTION search_prefixed(vector tsvector, prefix text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(' ' || vector::text, ' ''', ' ''' || prefix);
--> statement-breakpoint
CREATE FUNCTION search_vector(shelf text, title tsvector, tag_ids uuid[], spoken tsvector, notes tsvector)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (
    search_prefixed(spoken || setweight(title, 'A') || setweight(notes, 'D'), shelf)
    || search_prefixed(title, shelf || '^') || ' ''' || shelf || '*'''
    || coalesce((SELECT string_agg(' ''' || shelf || '#' || replace(id::text, '-', '') || ''':1B', '') FROM unnest(tag_ids) AS id), '')
  )::tsvector;
--> statement-breakpoint
CREATE FUNCTION search_refresh(wanted uuid) RETURNS void LANGUAGE plpgsql AS $$
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
  title := search_forms(search_plain(entry.title), english);
  SELECT array_agg(tag_id) INTO tag_ids FROM entry_tags WHERE entry_id = wanted;
  BEGIN
    SELECT jsonb_array_length(words), search_spoken(words, english) INTO said, spoken
      FROM transcripts WHERE entry_id = wanted ORDER BY revision DESC LIMIT 1;
    SELECT search_forms(search_plain(left(string_agg(text, ' ' ORDER BY created_at, id), 50000)), english) INTO noted
      FROM notes WHERE entry_id = wanted;
    vector := search_vector(shelf, title, tag_ids, coalesce(spoken, ''), coalesce(noted, ''));
  EXCEPTION WHEN program_limit_exceeded THEN
    -- More different words than a vector can hold (1 MB): nothing a person says, and no reason to refuse a save.
    spoken := '';
    vector := search_vector(shelf, title, tag_ids, '', '');
  END;
  INSERT INTO entry_search (entry_id, user_id, date, created_at, vector, words)
    VALUES (wanted, entry.user_id, entry.date, entry.created_at, vector, coalesce(said, 0))
    ON CONFLICT (entry_id) DO UPDATE
    SET user_id = excluded.user_id, date = excluded.date, created_at = excluded.created_at,
      vector = excluded.vector, words = excluded.words;
  -- Without a unique index, so that two transactions never wait for each other here.
  INSERT INTO search_words (user_id, year, word)
    SELECT DISTINCT entry.user_id, extract(year FROM entry.date)::int, lexeme
    FROM unnest(tsvector_to_array(title || coalesce(spoken, '') || coalesce(noted, ''))) AS lexeme
    WHERE length(lexeme) BETWEEN 4 AND 30
      AND NOT EXISTS (
        SELECT FROM search_words w
        WHERE w.user_id = entry.user_id AND w.year = extract(year FROM entry.date)::int AND w.word = lexeme);
END $$;
--> statement-breakpoint
CREATE FUNCTION search_refresh_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_refresh(NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_entry_added AFTER INSERT ON entries FOR EACH ROW
  WHEN (NEW.video_status <> 'uploading' AND NEW.trashed_at IS NULL) EXECUTE FUNCTION search_refresh_entry();
--> statement-breakpoint
CREATE TRIGGER search_entry_changed AFTER UPDATE ON entries FOR EACH ROW
  WHEN ((OLD.title, OLD.date, OLD.language, OLD.trashed_at IS NULL, OLD.video_status = 'uploading')
    IS DISTINCT FROM (NEW.title, NEW.date, NEW.language, NEW.trashed_at IS NULL, NEW.video_status = 'uploading'))
  EXECUTE FUNCTION search_refresh_entry();
--> statement-breakpoint
CREATE FUNCTION search_refresh_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_refresh(coalesce(NEW.entry_id, OLD.entry_id));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_transcript AFTER INSERT OR UPDATE OR DELETE ON transcripts FOR EACH ROW
  EXECUTE FUNCTION search_refresh_part();
--> statement-breakpoint
CREATE TRIGGER search_note AFTER INSERT OR UPDATE OR DELETE ON notes FOR EACH ROW
  EXECUTE FUNCTION search_refresh_part();
--> statement-breakpoint
CREATE TRIGGER search_tag_put AFTER INSERT OR UPDATE ON entry_tags FOR EACH ROW
  EXECUTE FUNCTION search_refresh_part();
--> statement-breakpoint
-- The lexeme of a deleted tag finds nothing any more, so its thousand entries are left as they are.
CREATE FUNCTION search_tag_taken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM tags WHERE id = OLD.tag_id) THEN PERFORM search_refresh(OLD.entry_id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_tag_taken AFTER DELETE ON entry_tags FOR EACH ROW EXECUTE FUNCTION search_tag_taken();
--> statement-breakpoint
-- What was said only in an entry that is deleted, or was corrected there, is forgotten with it.
CREATE FUNCTION search_forget() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entry_year int := extract(year FROM OLD.date);
  shelves text[];
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE id = OLD.user_id) THEN RETURN NULL; END IF;
  SELECT array_agg(search_shelf(OLD.user_id, entry_year * 12 + month)) INTO shelves FROM generate_series(0, 11) AS month;
  DELETE FROM search_words
    USING (
      SELECT substr(lexeme, 7) AS word FROM (
        SELECT unnest(tsvector_to_array(OLD.vector)) AS lexeme
        EXCEPT
        SELECT unnest(tsvector_to_array(NEW.vector))
      ) AS gone
      WHERE substr(lexeme, 7, 1) NOT IN ('^', '#', '*')
    ) AS said
    WHERE search_words.user_id = OLD.user_id AND search_words.year = entry_year AND search_words.word = said.word
      AND NOT EXISTS (
        SELECT FROM unnest(shelves) AS shelf
        CROSS JOIN LATERAL (
          SELECT FROM entry_search WHERE vector @@ ('''' || shelf || said.word || '''')::tsquery LIMIT 1
        ) AS still);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_forget AFTER UPDATE OR DELETE ON entry_search FOR EACH ROW EXECUTE FUNCTION search_forget();
--> statement-breakpoint
SELECT search_refresh(id) FROM entries;
