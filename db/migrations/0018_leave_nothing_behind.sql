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
DROP INDEX "outbox_due";--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "upload_checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "held_by_plan" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "source_etag" text;--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "upload_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "transcript_parts" ADD CONSTRAINT "transcript_parts_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entries_held" ON "entries" USING btree ("user_id","id") WHERE held_by_plan and trashed_at is null;--> statement-breakpoint
CREATE INDEX "entries_upload_expires" ON "entries" USING btree ("upload_expires_at") WHERE upload_expires_at is not null;--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("kind","due_at") WHERE not "outbox"."dead";