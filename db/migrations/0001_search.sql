-- Full-text search and the counts behind it, kept up to date by triggers.
-- 
-- entry_search.vector holds lexemes that each start with a shelf: six characters that stand for the owner and the month of
-- the entry. A lookup therefore reads one person's one month and never everybody's words. After the shelf comes:
--   word    what was said (weight C; its position is the number of the word), the title (A), and notes (D). English words
--           are indexed by stem and as written, other languages as written.
--   ^word   the title again, to rank matches there first
--   #id     tags (B), by id, so that renaming or deleting a tag changes no vector
--   *       every entry, for searches that only exclude
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Keeps stop words: a quoted phrase may need them. Other queries leave them out themselves.
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
-- Numbers months consecutively: twelve times the year, plus 0 for January. Two shelves can share their six characters;
-- that only costs a few extra rows, since queries compare the owner and the date too.
CREATE FUNCTION search_month(day date) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (extract(year FROM day) * 12 + extract(month FROM day) - 1)::int;
--> statement-breakpoint
CREATE FUNCTION search_shelf(owner uuid, month int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN left(md5(owner::text || '/' || month::text), 6);
--> statement-breakpoint
-- Returns words separated by single spaces, without apostrophes: don't is one word, however its apostrophe is typed. Some
-- marks count as letters in Postgres and as apostrophes in unaccent (Hawaiʻi); left in, they'd make an unreadable vector.
CREATE FUNCTION search_plain(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(
    regexp_replace(replace(written, 'ŉ', 'n'), '[''’‘ʼʻʽʹʺˈˆˋː]+', '', 'g'), '[^[:alnum:]]+', ' ', 'g');
--> statement-breakpoint
-- Returns both forms of every word, at the same positions.
CREATE FUNCTION search_forms(plain text, english boolean) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN english
    THEN (to_tsvector('daylight_written', plain)::text || ' ' || to_tsvector('daylight_english', plain)::text)::tsvector
    ELSE to_tsvector('daylight_written', plain) END;
--> statement-breakpoint
-- Indexes a transcript. Every word takes exactly one position, so that a position leads back to the word and its time:
-- mother-in-law is stored as motherinlaw with its parts at the same position, and a lone dash as a blank.
CREATE FUNCTION search_spoken(words jsonb, english boolean) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
  BEGIN ATOMIC
    WITH said AS (
      SELECT n, search_plain(left(w ->> 0, 200)) AS plain
      FROM jsonb_array_elements(words) WITH ORDINALITY AS e(w, n)
    ), parts AS (
      SELECT string_agg(
        '''' || regexp_replace(lexeme, '([''\\])', '\1\1', 'g') || ''':' || least(n, 16383), ' ') AS vector
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
-- Returns a vector as text, with a prefix before each lexeme. Lexemes hold letters and digits only, so no quotes.
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
-- Rebuilds the vector of an entry. Sequential scans are off because the planner may know nothing of the tables (no
-- statistics yet) or remember a plan from when they were tiny.
CREATE FUNCTION search_refresh(wanted uuid) RETURNS void LANGUAGE plpgsql
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
    vector := search_vector(shelf, title, tag_ids, '', '');
  END;
  INSERT INTO entry_search (entry_id, user_id, date, created_at, vector, words)
    VALUES (wanted, entry.user_id, entry.date, entry.created_at, vector, coalesce(said, 0))
    ON CONFLICT (entry_id) DO UPDATE
    SET user_id = excluded.user_id, date = excluded.date, created_at = excluded.created_at,
      vector = excluded.vector, words = excluded.words;
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
-- A deleted tag's lexeme can't be found anymore, so its entries, maybe thousands, stay as they are.
CREATE FUNCTION search_tag_taken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM tags WHERE id = OLD.tag_id) THEN PERFORM search_refresh(OLD.entry_id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_tag_taken AFTER DELETE ON entry_tags FOR EACH ROW EXECUTE FUNCTION search_tag_taken();
--> statement-breakpoint
-- Returns the words of an entry that a typo may have meant, without their shelves.
CREATE FUNCTION search_entry_words(vector tsvector) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT substr(lexeme, 7) FROM unnest(tsvector_to_array(vector)) AS lexeme
    WHERE length(lexeme) BETWEEN 10 AND 36 AND substr(lexeme, 7, 1) NOT IN ('^', '#', '*'));
--> statement-breakpoint
-- Serializes the counting for one account until the transaction ends. Counts of two entries share rows (words, months),
-- which two transactions would otherwise lock in different orders.
CREATE FUNCTION journal_lock(owner uuid) RETURNS void LANGUAGE sql
  RETURN pg_advisory_xact_lock(hashtextextended('journal ' || owner, 0));
--> statement-breakpoint
-- search_words counts in how many entries of a year each word is. A change adds or subtracts only the words that an entry
-- gained or lost, each by one lookup of the primary key. Call both functions under journal_lock.
CREATE FUNCTION search_words_gained(owner uuid, in_year int, gained text[]) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    INSERT INTO search_words AS known (user_id, year, word, entries)
      SELECT owner, in_year, word, 1 FROM unnest(gained) AS word
      ON CONFLICT (user_id, year, word) DO UPDATE SET entries = known.entries + 1;
  END;
--> statement-breakpoint
-- Deletes a word with the last entry that has it. OFFSET 0 keeps each lookup separate, so that it runs once for each word
-- and never becomes a join.
CREATE FUNCTION search_words_lost(owner uuid, in_year int, lost text[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM search_words WHERE ctid = ANY (ARRAY(
    SELECT known.ctid FROM unnest(lost) AS gone CROSS JOIN LATERAL (
      SELECT ctid FROM search_words
      WHERE user_id = owner AND year = in_year AND word = gone AND entries = 1 OFFSET 0
    ) AS known));
  UPDATE search_words SET entries = entries - 1 WHERE ctid = ANY (ARRAY(
    SELECT known.ctid FROM unnest(lost) AS gone CROSS JOIN LATERAL (
      SELECT ctid FROM search_words WHERE user_id = owner AND year = in_year AND word = gone OFFSET 0
    ) AS known));
END $$;
--> statement-breakpoint
CREATE FUNCTION search_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lost text[] := '{}';
  gained text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN lost := search_entry_words(OLD.vector); END IF;
  IF TG_OP <> 'DELETE' THEN gained := search_entry_words(NEW.vector); END IF;
  IF TG_OP = 'UPDATE' AND OLD.user_id = NEW.user_id AND extract(year FROM OLD.date) = extract(year FROM NEW.date) THEN
    SELECT ARRAY(SELECT unnest(lost) EXCEPT SELECT unnest(gained)), ARRAY(SELECT unnest(gained) EXCEPT SELECT unnest(lost))
      INTO lost, gained;
  END IF;
  -- The words of an account that is being deleted go with its row.
  IF cardinality(lost) > 0 AND EXISTS (SELECT FROM users WHERE id = OLD.user_id) THEN
    PERFORM journal_lock(OLD.user_id);
    PERFORM search_words_lost(OLD.user_id, extract(year FROM OLD.date)::int, lost);
  END IF;
  IF cardinality(gained) > 0 THEN
    PERFORM journal_lock(NEW.user_id);
    PERFORM search_words_gained(NEW.user_id, extract(year FROM NEW.date)::int, gained);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_words_changed AFTER INSERT OR UPDATE OR DELETE ON entry_search FOR EACH ROW
  EXECUTE FUNCTION search_words_changed();
--> statement-breakpoint
-- Recounts words: for data that was loaded in bulk with the triggers off.
CREATE FUNCTION search_recount(owners uuid[]) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    DELETE FROM search_words WHERE user_id = ANY (owners);
    INSERT INTO search_words (user_id, year, word, entries)
      SELECT user_id, extract(year FROM date)::int, word, count(*)
      FROM entry_search, unnest(search_entry_words(vector)) AS word
      WHERE user_id = ANY (owners) GROUP BY 1, 2, 3;
  END;
--> statement-breakpoint
-- Keeps journal_months: it counts the rows of entry_search, which are the entries that lists show. All changes go in the
-- same order, so that two changes of dates never wait for each other.
CREATE FUNCTION journal_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  FOR change IN
    SELECT owner, search_month(day) AS month, extract(day FROM day)::int AS day, sum(entry)::int AS entries, sum(said) AS words
    FROM (VALUES (OLD.user_id, OLD.date, -1, -OLD.words), (NEW.user_id, NEW.date, 1, NEW.words)) AS part (owner, day, entry, said)
    WHERE owner IS NOT NULL
    GROUP BY owner, part.day
    HAVING sum(entry) <> 0 OR sum(said) <> 0
    ORDER BY owner, part.day
  LOOP
    PERFORM journal_lock(change.owner);
    IF change.entries > 0 THEN
      INSERT INTO journal_months (user_id, month, entries, days, words)
        VALUES (change.owner, change.month, 0, array_fill(0, ARRAY[31]), 0) ON CONFLICT DO NOTHING;
    END IF;
    -- Finds none when the account itself is being deleted.
    UPDATE journal_months
      SET entries = entries + change.entries, words = words + change.words,
        days[change.day] = days[change.day] + change.entries
      WHERE user_id = change.owner AND month = change.month;
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER journal_count AFTER INSERT OR UPDATE OR DELETE ON entry_search FOR EACH ROW EXECUTE FUNCTION journal_count();
--> statement-breakpoint
-- Recounts months: for data that was loaded in bulk with the triggers off.
CREATE FUNCTION journal_recount(owners uuid[]) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    DELETE FROM journal_months WHERE user_id = ANY (owners);
    INSERT INTO journal_months (user_id, month, entries, days, words)
      WITH counted AS (
        SELECT user_id, search_month(date) AS month, extract(day FROM date)::int AS day,
          count(*)::int AS entries, sum(entry_search.words) AS words
        FROM entry_search WHERE user_id = ANY (owners) GROUP BY 1, 2, 3
      )
      SELECT user_id, month, sum(coalesce(entries, 0)), array_agg(coalesce(entries, 0) ORDER BY day), sum(coalesce(words, 0))
      FROM (SELECT DISTINCT user_id, month FROM counted) AS months
      CROSS JOIN generate_series(1, 31) AS day
      LEFT JOIN counted USING (user_id, month, day)
      GROUP BY user_id, month;
  END;
--> statement-breakpoint
-- Returns the newest matches, month by month in the order of the shelves, up to `most`. In queries, ~ stands for the shelf.
-- Always uses the index: in a small table the planner expects a scan to be cheaper, because it doesn't count the cost of
-- unpacking vectors, and a search in a journal of 365 entries took a second. The generic plan saves planning 120 months.
CREATE FUNCTION search_newest(owner uuid, shelves text[], query text, first_day date, last_day date, most int)
  RETURNS TABLE (entry_id uuid, date date, created_at timestamptz, vector tsvector, shelf text)
  LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  missing int := most;
  matches int;
BEGIN
  FOREACH shelf IN ARRAY shelves LOOP
    RETURN QUERY
      SELECT indexed.entry_id, indexed.date, indexed.created_at, indexed.vector, shelf FROM entry_search AS indexed
      WHERE indexed.vector @@ replace(query, '~', shelf)::tsquery AND indexed.user_id = owner
        AND indexed.date BETWEEN first_day AND last_day
      ORDER BY indexed.date DESC, indexed.created_at DESC LIMIT missing;
    GET DIAGNOSTICS matches = ROW_COUNT;
    missing := missing - matches;
    EXIT WHEN missing = 0;
  END LOOP;
END $$;
--> statement-breakpoint
-- Returns how many entries match.
CREATE FUNCTION search_matches(owner uuid, shelves text[], query text) RETURNS int
  LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN (
    SELECT count(*) FROM unnest(shelves) AS shelf
    JOIN entry_search ON vector @@ replace(query, '~', shelf)::tsquery AND user_id = owner);
END $$;
