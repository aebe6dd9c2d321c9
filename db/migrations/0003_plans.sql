CREATE TABLE "customers" (
	"user_id" uuid NOT NULL,
	"livemode" boolean NOT NULL,
	"stripe_id" text,
	"checkout_id" text,
	CONSTRAINT "customers_user_id_livemode_pk" PRIMARY KEY("user_id","livemode"),
	CONSTRAINT "customers_stripe_id_unique" UNIQUE("stripe_id")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"livemode" boolean NOT NULL,
	"plan" "plan_type",
	"status" text NOT NULL,
	"period_end" timestamp (3) with time zone NOT NULL,
	"next_plan" "plan_type",
	"changes_at" timestamp (3) with time zone,
	"grace_ends_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscriptions_user" ON "subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "webhook_events_received" ON "webhook_events" USING btree ("received_at");