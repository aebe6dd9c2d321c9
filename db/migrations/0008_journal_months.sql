-- How journal_months is kept: it counts the rows of entry_search, which are the entries that lists show.
CREATE FUNCTION journal_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  FOR change IN
    -- In one order for all, so that two changes of dates never wait for each other.
    SELECT owner, search_month(day) AS month, extract(day FROM day)::int AS day, sum(entry)::int AS entries, sum(said) AS words
    FROM (VALUES (OLD.user_id, OLD.date, -1, -OLD.words), (NEW.user_id, NEW.date, 1, NEW.words)) AS part (owner, day, entry, said)
    WHERE owner IS NOT NULL
    GROUP BY owner, part.day
    HAVING sum(entry) <> 0 OR sum(said) <> 0
    ORDER BY owner, part.day
  LOOP
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
-- Counts journals anew: what is there already, and what is filled in bulk with the triggers off.
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
SELECT journal_recount(array_agg(DISTINCT user_id)) FROM entry_search;
