CREATE TABLE "setup" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"code_hash" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"closed_until" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "setup_one_row" CHECK ("setup"."id")
);
