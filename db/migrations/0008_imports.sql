CREATE TABLE "imported_entries" (
	"entry_id" uuid PRIMARY KEY NOT NULL,
	"source_id" text NOT NULL,
	"sha256" text NOT NULL,
	"date" date NOT NULL,
	"content" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "imported_entries" ADD CONSTRAINT "imported_entries_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imported_entries_sha256" ON "imported_entries" USING btree ("sha256");