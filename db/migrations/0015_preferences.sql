CREATE TABLE "preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"theme" text DEFAULT 'system' NOT NULL,
	"time_zone" text,
	"first_weekday" text DEFAULT 'sunday' NOT NULL,
	"date_format" text DEFAULT 'MM/DD/YYYY' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "weekly_letters" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"sent_on" date,
	"leased_until" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "weekly_letters" ADD CONSTRAINT "weekly_letters_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "weekly_letters_due" ON "weekly_letters" USING btree ("due_at");