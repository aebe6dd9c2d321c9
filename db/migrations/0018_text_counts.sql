-- Counts each entry's text in its row, in the transaction of every change, so that an account's text is added up without
-- being read. Changes of a transcript or a note lock the entry anyway (search_refresh), and what's deleted with an entry
-- goes with its row.
--
-- Transcripts that were restored share their words: only the newest of them holds any, and the others are empty.
CREATE FUNCTION text_counted(counted uuid) RETURNS TABLE (text_bytes bigint, note_count int) LANGUAGE sql STABLE AS $$
  SELECT
    coalesce((SELECT sum(octet_length(words::text)) FROM transcripts WHERE entry_id = counted), 0)
      + coalesce((SELECT sum(octet_length(text)) FROM notes WHERE entry_id = counted), 0),
    (SELECT count(*) FROM notes WHERE entry_id = counted)::int;
$$;
--> statement-breakpoint
-- Counts entries again: for data that was loaded with the triggers off.
CREATE FUNCTION text_recount(recounted uuid[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  -- The locks come first: the count then sees what others have written before they let go of these rows.
  PERFORM FROM entries WHERE id = ANY (recounted) ORDER BY id FOR NO KEY UPDATE;
  UPDATE entries SET text_bytes = counted.text_bytes, note_count = counted.note_count
    FROM unnest(recounted) AS recount (id) CROSS JOIN LATERAL text_counted(recount.id) AS counted
    WHERE entries.id = recount.id
      AND (entries.text_bytes, entries.note_count) IS DISTINCT FROM (counted.text_bytes, counted.note_count);
END $$;
--> statement-breakpoint
-- For each statement, not for each row: a row that's updated thousands of times in a transaction gets slower each time.
CREATE FUNCTION text_transcripts_added() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE entries SET text_bytes = text_bytes + (
      SELECT sum(octet_length(words::text)) FROM added WHERE entry_id = entries.id)
    WHERE id IN (SELECT entry_id FROM added);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION text_transcripts_deleted() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE entries SET text_bytes = text_bytes - (
      SELECT sum(octet_length(words::text)) FROM deleted WHERE entry_id = entries.id)
    WHERE id IN (SELECT entry_id FROM deleted);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION text_transcript_changed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE entries SET text_bytes = text_bytes + octet_length(NEW.words::text) - octet_length(OLD.words::text)
    WHERE id = NEW.entry_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION text_notes_added() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE entries SET text_bytes = text_bytes + counted.bytes, note_count = note_count + counted.notes
    FROM (SELECT entry_id, sum(octet_length(text)) AS bytes, count(*)::int AS notes FROM added GROUP BY entry_id) AS counted
    WHERE id = counted.entry_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION text_notes_deleted() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE entries SET text_bytes = text_bytes - counted.bytes, note_count = note_count - counted.notes
    FROM (SELECT entry_id, sum(octet_length(text)) AS bytes, count(*)::int AS notes FROM deleted GROUP BY entry_id) AS counted
    WHERE id = counted.entry_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION text_note_changed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE entries SET text_bytes = text_bytes + octet_length(NEW.text) - octet_length(OLD.text) WHERE id = NEW.entry_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER text_transcripts_added AFTER INSERT ON transcripts REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION text_transcripts_added();
--> statement-breakpoint
CREATE TRIGGER text_transcripts_deleted AFTER DELETE ON transcripts REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
  EXECUTE FUNCTION text_transcripts_deleted();
--> statement-breakpoint
CREATE TRIGGER text_transcript_changed AFTER UPDATE OF words ON transcripts FOR EACH ROW
  EXECUTE FUNCTION text_transcript_changed();
--> statement-breakpoint
CREATE TRIGGER text_notes_added AFTER INSERT ON notes REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION text_notes_added();
--> statement-breakpoint
CREATE TRIGGER text_notes_deleted AFTER DELETE ON notes REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
  EXECUTE FUNCTION text_notes_deleted();
--> statement-breakpoint
CREATE TRIGGER text_note_changed AFTER UPDATE OF text ON notes FOR EACH ROW EXECUTE FUNCTION text_note_changed();
--> statement-breakpoint
-- What's there already. The triggers above keep others from adding text until the migrations are done.
UPDATE entries SET text_bytes = counted.text_bytes, note_count = counted.note_count
  FROM entries AS existing CROSS JOIN LATERAL text_counted(existing.id) AS counted
  WHERE entries.id = existing.id AND (counted.text_bytes > 0 OR counted.note_count > 0);
--> statement-breakpoint
-- Only the newest revision is indexed, so a change of an earlier one leaves the index as it is.
CREATE FUNCTION search_refresh_transcript() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  changed uuid := coalesce(NEW.entry_id, OLD.entry_id);
  newest int := greatest(NEW.revision, OLD.revision);
BEGIN
  IF search_suspended() OR EXISTS (SELECT FROM transcripts WHERE entry_id = changed AND revision > newest) THEN
    RETURN NULL;
  END IF;
  PERFORM search_refresh(changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER search_transcript ON transcripts;
--> statement-breakpoint
CREATE TRIGGER search_transcript AFTER INSERT OR UPDATE OR DELETE ON transcripts FOR EACH ROW
  EXECUTE FUNCTION search_refresh_transcript();
--> statement-breakpoint
-- Deletes an entry's oldest revisions until `surplus` are gone, and then, until `excess` bytes are, more of them and after
-- those the oldest of the account's other entries. The machine's original and the `newest` revisions of each entry stay.
-- The entry is locked by the caller. Others that somebody is changing are left alone, so that it never waits for one.
-- Returns the bytes that it has freed.
CREATE FUNCTION transcripts_prune(owner uuid, pruned uuid, surplus int, excess bigint, newest int) RETURNS bigint
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  old record;
  gone int := 0;
  bytes int;
  freed bigint := 0;
BEGIN
  FOR old IN
    SELECT entry_id, revision, shared_words FROM (
      SELECT entry_id, revision, shared_words, transcripts.created_at,
        row_number() OVER (PARTITION BY entry_id ORDER BY revision DESC) AS place
      FROM entries JOIN transcripts ON transcripts.entry_id = entries.id
      WHERE entries.user_id = owner AND (entries.id = pruned OR excess > 0)
    ) AS revisions
    WHERE revision > 0 AND place > newest
    ORDER BY entry_id <> pruned, CASE WHEN entry_id <> pruned THEN created_at END, revision
  LOOP
    EXIT WHEN freed >= excess AND (gone >= surplus OR old.entry_id <> pruned);
    IF old.entry_id <> pruned THEN
      PERFORM FROM entries WHERE id = old.entry_id FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
    END IF;
    -- It holds the words of others that stay, such as the machine's original.
    CONTINUE WHEN EXISTS (SELECT FROM transcripts
      WHERE entry_id = old.entry_id AND shared_words = old.shared_words AND revision < old.revision)
      AND NOT EXISTS (SELECT FROM transcripts
        WHERE entry_id = old.entry_id AND shared_words = old.shared_words AND revision > old.revision);
    DELETE FROM transcripts WHERE entry_id = old.entry_id AND revision = old.revision
      RETURNING octet_length(words::text) INTO bytes;
    CONTINUE WHEN NOT FOUND;
    gone := gone + 1;
    freed := freed + bytes;
  END LOOP;
  RETURN freed;
END $$;
