ALTER TABLE "entries" ADD COLUMN "text_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "note_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transcripts" ADD COLUMN "shared_words" uuid;--> statement-breakpoint
CREATE INDEX "entries_owner" ON "entries" USING btree ("user_id");