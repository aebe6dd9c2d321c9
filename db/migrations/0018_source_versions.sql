ALTER TABLE "entries" ADD COLUMN "source_etag" text;--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "upload_expires_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "entries_upload_expires" ON "entries" USING btree ("upload_expires_at") WHERE upload_expires_at is not null;