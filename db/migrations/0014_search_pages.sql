-- Lets a search be paged to its end, with exact counts. search_newest stays for the release before this one.
-- The functions take months (twelve times the year, plus 0 for January) and compare each entry's date with its month,
-- because two months can share the six characters of their shelves and would then find the same entry twice. Like
-- search_newest, they always use the index, with one plan for all months.
--
-- Returns the newest matches before a place in the order of date, time, and id, month by month in the order of `months`,
-- up to `most`. Without a place, from the newest on. In queries, ~ stands for the shelf.
CREATE FUNCTION search_before(owner uuid, months int[], query text, first_day date, last_day date,
    before_date date, before_time timestamptz, before_id uuid, most int)
  RETURNS TABLE (entry_id uuid, date date, created_at timestamptz, vector tsvector, shelf text)
  LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  missing int := most;
  matches int;
  month int;
  wanted tsquery;
BEGIN
  FOREACH month IN ARRAY months LOOP
    shelf := search_shelf(owner, month);
    wanted := replace(query, '~', shelf)::tsquery;
    RETURN QUERY
      SELECT indexed.entry_id, indexed.date, indexed.created_at, indexed.vector, shelf FROM entry_search AS indexed
      WHERE indexed.vector @@ wanted AND indexed.user_id = owner
        AND indexed.date BETWEEN first_day AND last_day AND search_month(indexed.date) = month
        AND (before_date IS NULL OR (indexed.date, indexed.created_at, indexed.entry_id) < (before_date, before_time, before_id))
      ORDER BY indexed.date DESC, indexed.created_at DESC, indexed.entry_id DESC LIMIT missing;
    GET DIAGNOSTICS matches = ROW_COUNT;
    missing := missing - matches;
    EXIT WHEN missing = 0;
  END LOOP;
END $$;
--> statement-breakpoint
-- Returns how many entries match in each year that has any.
CREATE FUNCTION search_years(owner uuid, months int[], query text, first_day date, last_day date)
  RETURNS TABLE (year int, entries int)
  LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT counted.month / 12, sum(counted.matches)::int FROM (
      SELECT span.month, (
        SELECT count(*) FROM entry_search AS indexed
        WHERE indexed.vector @@ span.wanted AND indexed.user_id = owner
          AND indexed.date BETWEEN greatest(first_day, span.starts) AND least(last_day, span.ends)
      ) AS matches
      FROM (
        SELECT wanted_month AS month, replace(query, '~', search_shelf(owner, wanted_month))::tsquery AS wanted,
          make_date(wanted_month / 12, wanted_month % 12 + 1, 1) AS starts,
          (make_date(wanted_month / 12, wanted_month % 12 + 1, 1) + interval '1 month - 1 day')::date AS ends
        FROM unnest(months) AS wanted_month OFFSET 0
      ) AS span
    ) AS counted
    WHERE counted.matches > 0
    GROUP BY counted.month / 12;
END $$;
--> statement-breakpoint
-- Returns the oldest match, looking in the order of `months`.
CREATE FUNCTION search_oldest(owner uuid, months int[], query text, first_day date, last_day date)
  RETURNS TABLE (entry_id uuid, date date)
  LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  month int;
  wanted tsquery;
BEGIN
  FOREACH month IN ARRAY months LOOP
    wanted := replace(query, '~', search_shelf(owner, month))::tsquery;
    RETURN QUERY
      SELECT indexed.entry_id, indexed.date FROM entry_search AS indexed
      WHERE indexed.vector @@ wanted AND indexed.user_id = owner
        AND indexed.date BETWEEN first_day AND last_day AND search_month(indexed.date) = month
      ORDER BY indexed.date, indexed.created_at, indexed.entry_id LIMIT 1;
    EXIT WHEN FOUND;
  END LOOP;
END $$;
