ALTER TABLE "mail_links" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "passkeys" ADD COLUMN "disabled_at" timestamp (3) with time zone;