CREATE TABLE "transcript_parts" (
	"entry_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"words" jsonb NOT NULL,
	"language" text,
	"estimated" boolean NOT NULL,
	"engine" text,
	CONSTRAINT "transcript_parts_entry_id_part_pk" PRIMARY KEY("entry_id","part")
);
--> statement-breakpoint
ALTER TABLE "transcript_parts" ADD CONSTRAINT "transcript_parts_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;