ALTER TABLE "notes" ADD COLUMN "client_id" uuid;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_client" UNIQUE("entry_id","client_id");