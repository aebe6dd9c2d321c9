-- A correction of a long transcript may change tens of thousands of words, which took half of the time of a save. Now the
-- account isn't looked up for each of them, and they're added in the order of the index.
ALTER TABLE "search_words" DROP CONSTRAINT "search_words_user_id_users_id_fk";
--> statement-breakpoint
-- In place of a foreign key. It comes after the account's entries are gone (triggers fire by name, and those of foreign keys
-- start with RI), so no change of one adds words later.
CREATE FUNCTION search_words_of_account_lost() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM search_words WHERE user_id = OLD.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_words_of_account_lost AFTER DELETE ON users FOR EACH ROW
  EXECUTE FUNCTION search_words_of_account_lost();
--> statement-breakpoint
-- Returns the words of an entry that a typo may have meant, without their shelves: 8,000 at most, which is more than anybody
-- says, so that a text of a hundred thousand different words adds no more rows.
CREATE OR REPLACE FUNCTION search_entry_words(vector tsvector) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT substr(lexeme, 7) FROM unnest(tsvector_to_array(vector)) AS lexeme
    WHERE length(lexeme) BETWEEN 10 AND 36 AND substr(lexeme, 7, 1) NOT IN ('^', '#', '*') LIMIT 8000);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_words_gained(owner uuid, in_year int, gained text[]) RETURNS void LANGUAGE sql
  BEGIN ATOMIC
    INSERT INTO search_words AS known (user_id, year, word, entries)
      SELECT owner, in_year, word, 1 FROM unnest(gained) AS word ORDER BY word
      ON CONFLICT (user_id, year, word) DO UPDATE SET entries = known.entries + 1;
  END;
--> statement-breakpoint
-- Deletes a word with the last entry that has it. OFFSET 0 keeps each lookup separate, so that it runs once for each word
-- and never becomes a join.
CREATE OR REPLACE FUNCTION search_words_lost(owner uuid, in_year int, lost text[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
DECLARE
  last tid[];
  others tid[];
BEGIN
  SELECT array_agg(known.place) FILTER (WHERE known.entries = 1), array_agg(known.place) FILTER (WHERE known.entries > 1)
    INTO last, others
    FROM unnest(lost) AS gone CROSS JOIN LATERAL (
      SELECT ctid AS place, entries FROM search_words WHERE user_id = owner AND year = in_year AND word = gone OFFSET 0
    ) AS known;
  DELETE FROM search_words WHERE ctid = ANY (last);
  UPDATE search_words SET entries = entries - 1 WHERE ctid = ANY (others);
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
    SELECT coalesce(array_agg(before) FILTER (WHERE after IS NULL), '{}'),
        coalesce(array_agg(after) FILTER (WHERE before IS NULL), '{}')
      INTO lost, gained
      FROM unnest(lost) AS before FULL JOIN unnest(gained) AS after ON before = after;
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
-- Indexes a transcript as before, but reads its words only once: OFFSET 0 keeps their plain form from being computed for
-- each use. They come in their order, as a function returns them. Parts of words take a look at a dictionary each, so only
-- those of the first 4,000 are indexed: nobody says as many words such as mother-in-law in one entry.
CREATE OR REPLACE FUNCTION search_spoken(words jsonb, english boolean) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
  BEGIN ATOMIC
    WITH said AS (
      SELECT
        string_agg(coalesce(nullif(replace(plain, ' ', ''), ''), 'zqxblank'), ' ') AS text,
        array_agg(n) FILTER (WHERE trim(plain) LIKE '% %') AS numbers,
        array_agg(plain) FILTER (WHERE trim(plain) LIKE '% %') AS compounds
      FROM (
        SELECT n, search_plain(left(w ->> 0, 200)) AS plain
        FROM jsonb_array_elements(words) WITH ORDINALITY AS e(w, n) OFFSET 0
      ) AS word
    ), parts AS (
      SELECT string_agg(
        '''' || regexp_replace(lexeme, '([''\\])', '\1\1', 'g') || ''':' || least(n, 16383), ' ') AS vector
      FROM said, unnest(numbers[1:4000], compounds[1:4000]) AS compound (n, plain), unnest(search_forms(plain, english))
    )
    SELECT setweight((
      coalesce(ts_delete(search_forms(left(said.text, 150000), english), 'zqxblank')::text, '')
        || ' ' || coalesce(parts.vector, '')
    )::tsvector, 'C') FROM said, parts;
  END;
--> statement-breakpoint
SELECT search_recount(ARRAY(SELECT DISTINCT user_id FROM entry_search WHERE words > 8000 AND length(vector) > 8000));
