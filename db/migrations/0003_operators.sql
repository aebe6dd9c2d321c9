ALTER TABLE "users" ADD COLUMN "granted_plan" "plan_type";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "disabled_at" timestamp (3) with time zone;