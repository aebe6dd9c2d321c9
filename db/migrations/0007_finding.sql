CREATE TABLE "hidden_memories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"entry_id" uuid,
	"tag_id" uuid,
	"date" date,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hidden_memories_one" CHECK (num_nonnulls("hidden_memories"."entry_id", "hidden_memories"."tag_id", "hidden_memories"."date") = 1)
);
--> statement-breakpoint
CREATE TABLE "journal_months" (
	"user_id" uuid NOT NULL,
	"month" integer NOT NULL,
	"entries" integer NOT NULL,
	"days" integer[] NOT NULL,
	"words" bigint NOT NULL,
	CONSTRAINT "journal_months_user_id_month_pk" PRIMARY KEY("user_id","month")
);
--> statement-breakpoint
ALTER TABLE "hidden_memories" ADD CONSTRAINT "hidden_memories_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hidden_memories" ADD CONSTRAINT "hidden_memories_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hidden_memories" ADD CONSTRAINT "hidden_memories_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journal_months" ADD CONSTRAINT "journal_months_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "hidden_memories_entry" ON "hidden_memories" USING btree ("entry_id");--> statement-breakpoint
CREATE UNIQUE INDEX "hidden_memories_tag" ON "hidden_memories" USING btree ("tag_id");--> statement-breakpoint
CREATE UNIQUE INDEX "hidden_memories_date" ON "hidden_memories" USING btree ("user_id","date");