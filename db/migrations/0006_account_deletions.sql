CREATE TABLE "account_deletions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"erases_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"counts" jsonb,
	"objects" integer,
	"bytes" bigint,
	"uploads_expire_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "deletion_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "account_deletions" ADD CONSTRAINT "account_deletions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_deletions_due" ON "account_deletions" USING btree ("erases_at");