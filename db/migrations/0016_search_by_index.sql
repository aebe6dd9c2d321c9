-- Looks words up in the index of entry_search, whatever the planner thinks of it. In a small table it expects a scan of
-- all rows to be cheaper for each month, as it doesn't count what it costs to unpack their vectors: a search in a
-- journal of 365 entries took a second. Nor is it asked for a new plan for each of 120 months. In queries, ~ stands for
-- the shelf.

-- The newest matches, month by month in the order of the shelves, until there are `most`.
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
-- How many entries match.
CREATE FUNCTION search_matches(owner uuid, shelves text[], query text) RETURNS int
  LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN (
    SELECT count(*) FROM unnest(shelves) AS shelf
    JOIN entry_search ON vector @@ replace(query, '~', shelf)::tsquery AND user_id = owner);
END $$;
