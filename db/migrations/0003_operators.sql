CREATE TABLE "invitations" (
	"email" text PRIMARY KEY NOT NULL,
	"mail_hash" text NOT NULL,
	"shown_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_mail_hash_unique" UNIQUE("mail_hash"),
	CONSTRAINT "invitations_shown_hash_unique" UNIQUE("shown_hash")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "granted_plan" "plan_type";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "disabled_at" timestamp (3) with time zone;