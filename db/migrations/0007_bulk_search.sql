-- Lets one transaction change hundreds of entries. The row triggers index an entry again for each of its rows that
-- changes, and count its words in rows that all entries share. Until a transaction ends, every count leaves a version that
-- the next one has to skip, so the time grows with the square of the number of entries: a new year for 500 entries of
-- 1,370 words exceeded the statement timeout of 20 s. Such a transaction locks its entries, calls search_suspend, changes
-- them, and calls search_resume, which indexes each entry once and counts all their words in one statement.
-- The setting ends with the transaction. Without it, the triggers do what they did before.
CREATE FUNCTION search_suspended() RETURNS boolean LANGUAGE sql STABLE
  RETURN coalesce(current_setting('daylight.search_suspended', true), '') = 'yes';
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_refresh_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT search_suspended() THEN PERFORM search_refresh(NEW.id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_refresh_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT search_suspended() THEN PERFORM search_refresh(coalesce(NEW.entry_id, OLD.entry_id)); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_tag_taken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT search_suspended() AND EXISTS (SELECT FROM tags WHERE id = OLD.tag_id) THEN
    PERFORM search_refresh(OLD.entry_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lost text[] := '{}';
  gained text[] := '{}';
BEGIN
  IF search_suspended() THEN RETURN NULL; END IF;
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
-- Adds the words of several entries to the counts, or subtracts them (`sign` -1), each word in one lookup of the primary
-- key.
CREATE FUNCTION search_words_counted(owner uuid, counted uuid[], sign int) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    INSERT INTO search_words AS known (user_id, year, word, entries)
      SELECT user_id, extract(year FROM date)::int, word, sign * count(*)
      FROM entry_search, unnest(search_entry_words(vector)) AS word
      WHERE entry_id = ANY (counted) AND user_id = owner GROUP BY 1, 2, 3
      ON CONFLICT (user_id, year, word) DO UPDATE SET entries = known.entries + excluded.entries;
  END;
--> statement-breakpoint
-- Call it after locking the entries, so that nobody who has one of them waits for journal_lock.
CREATE FUNCTION search_suspend(owner uuid, changing uuid[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
BEGIN
  PERFORM journal_lock(owner);
  PERFORM search_words_counted(owner, changing, -1);
  DELETE FROM search_words WHERE user_id = owner AND entries <= 0 AND year IN (
    SELECT extract(year FROM date) FROM entry_search WHERE entry_id = ANY (changing));
  PERFORM set_config('daylight.search_suspended', 'yes', true);
END $$;
--> statement-breakpoint
CREATE FUNCTION search_resume(owner uuid, changed uuid[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
BEGIN
  PERFORM search_refresh(id) FROM unnest(changed) AS id;
  PERFORM search_words_counted(owner, changed, 1);
  PERFORM set_config('daylight.search_suspended', '', true);
END $$;
