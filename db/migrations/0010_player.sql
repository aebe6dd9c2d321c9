CREATE TABLE "previews" (
	"entry_id" uuid PRIMARY KEY NOT NULL,
	"storyboard" jsonb,
	"waveform" text
);
--> statement-breakpoint
ALTER TABLE "previews" ADD CONSTRAINT "previews_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;