-- The question that an entry answers. It's found like its notes.
ALTER TABLE "entries" ADD COLUMN "question" text;
--> statement-breakpoint
-- Rebuilds the vector of an entry as before, with its question.
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
    SELECT search_text(left(concat_ws(' ', entry.question, string_agg(text, ' ' ORDER BY created_at, id)), 50000), english)
      INTO noted FROM notes WHERE entry_id = wanted;
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
--> statement-breakpoint
CREATE OR REPLACE TRIGGER search_entry_changed AFTER UPDATE ON entries FOR EACH ROW
  WHEN ((OLD.title, OLD.date, OLD.question, OLD.language, OLD.trashed_at IS NULL, OLD.video_status = 'uploading')
    IS DISTINCT FROM
    (NEW.title, NEW.date, NEW.question, NEW.language, NEW.trashed_at IS NULL, NEW.video_status = 'uploading'))
  EXECUTE FUNCTION search_refresh_entry();
