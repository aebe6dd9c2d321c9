CREATE TABLE "highlights" (
	"entry_id" uuid PRIMARY KEY NOT NULL,
	"words" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "highlights" ADD CONSTRAINT "highlights_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entries_minutes" ON "entries" USING btree ("user_id","date","duration_ms") WHERE trashed_at is null and video_status <> 'uploading';--> statement-breakpoint
CREATE FUNCTION highlight_outdated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM highlights WHERE entry_id = coalesce(NEW.entry_id, OLD.entry_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER highlight_outdated AFTER INSERT OR UPDATE OR DELETE ON transcripts FOR EACH ROW
  EXECUTE FUNCTION highlight_outdated();
