-- Keeps search_words: in how many entries of a year each word is. A change adds or subtracts the words that an entry
-- gained or lost, each by one lookup of the primary key, so its cost depends on those words alone. The statements
-- below leave the planner no choice that could change this, since it may know nothing of the tables (no statistics
-- yet) or remember a plan from when they were tiny.

-- The words of an entry that a mistyped one may have meant, without what precedes them in the vector.
CREATE FUNCTION search_entry_words(vector tsvector) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT substr(lexeme, 7) FROM unnest(tsvector_to_array(vector)) AS lexeme
    WHERE length(lexeme) BETWEEN 10 AND 36 AND substr(lexeme, 7, 1) NOT IN ('^', '#', '*'));
--> statement-breakpoint
-- Serializes the counting for one account until the transaction ends. Counts of two entries share rows (words,
-- months), which two transactions would otherwise lock in different orders.
CREATE FUNCTION journal_lock(owner uuid) RETURNS void LANGUAGE sql
  RETURN pg_advisory_xact_lock(hashtextextended('journal ' || owner, 0));
--> statement-breakpoint
-- Counts an entry's new words, under journal_lock.
CREATE FUNCTION search_words_gained(owner uuid, in_year int, gained text[]) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    INSERT INTO search_words AS known (user_id, year, word, entries)
      SELECT owner, in_year, word, 1 FROM unnest(gained) AS word
      ON CONFLICT (user_id, year, word) DO UPDATE SET entries = known.entries + 1;
  END;
--> statement-breakpoint
-- Takes back what was counted, under journal_lock: a word leaves with the last entry that has it. OFFSET 0 keeps each
-- lookup apart, so that it runs once for each word and never becomes a join.
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
-- As before, but for search_words, which is kept by the trigger above.
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
-- As before, but under journal_lock.
CREATE OR REPLACE FUNCTION journal_count() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- Counts words anew: what is there already, and what is filled in bulk with the triggers off.
CREATE FUNCTION search_recount(owners uuid[]) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    DELETE FROM search_words WHERE user_id = ANY (owners);
    INSERT INTO search_words (user_id, year, word, entries)
      SELECT user_id, extract(year FROM date)::int, word, count(*)
      FROM entry_search, unnest(search_entry_words(vector)) AS word
      WHERE user_id = ANY (owners) GROUP BY 1, 2, 3;
  END;
--> statement-breakpoint
SELECT search_recount(array_agg(DISTINCT user_id)) FROM entry_search;
