-- Marks that are letters to Postgres, and apostrophes and the like to unaccent: Hawaiʻi is found as hawaii now. With
-- another mark within (Ilʹja/Anna), such a word made a vector that could not be read, and the save was refused.
CREATE OR REPLACE FUNCTION search_plain(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(
    regexp_replace(replace(written, 'ŉ', 'n'), '[''’‘ʼʻʽʹʺˈˆˋː]+', '', 'g'), '[^[:alnum:]]+', ' ', 'g');
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_spoken(words jsonb, english boolean) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE
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
SELECT count(search_refresh(entry_id)) FROM entry_search WHERE vector::text LIKE '%''''%';
