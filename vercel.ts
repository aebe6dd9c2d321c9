/** The longest that a step of a job may take, in seconds, and how long its function has to answer afterward. */
const STEP_SECONDS = 280;
const ANSWER_SECONDS = 20;

/**
 * How Vercel builds and runs the site. Read at each build, with the project's settings. Every plan allows 300 s for a
 * function; a plan with 800 takes JOB_STEP_SECONDS=780.
 */
export const config = {
  framework: 'nextjs',
  regions: ['iad1'],
  // Previews have no database.
  buildCommand:
    'if [ "$VERCEL_ENV" = production ]; then npm run db:migrate; else echo "Not a production build (VERCEL_ENV): no migrations."; fi && npm run build',
  functions: {
    // A transcode is one step, and one step is one request.
    'app/api/inngest/route.ts': {
      // Vercel reads this file by itself, without the app.
      maxDuration: Number(process.env['JOB_STEP_SECONDS'] || STEP_SECONDS) + ANSWER_SECONDS,
    },
  },
};
