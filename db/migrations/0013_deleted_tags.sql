CREATE TABLE "deleted_tags" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"entry_ids" uuid[] NOT NULL,
	"hidden" boolean NOT NULL,
	"deleted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deleted_tags" ADD CONSTRAINT "deleted_tags_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_tags_user" ON "deleted_tags" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "deleted_tags_at" ON "deleted_tags" USING btree ("deleted_at");