import type { TestFiles } from '@/test/selection';
import type { TestedService } from '@/test/tested-services';

/** A real server that tests can be pointed at. */
export interface RealServer {
  /** What `npm run lab -- real` calls it. */
  name: string;
  /** The programs it needs on PATH or in REAL_SERVERS. */
  programs: string[];
  /** The service that it takes the stand-in's place of, or null if it only checks what the tests send. */
  service: TestedService | null;
  /** The tests that run against it, as parts of their paths. */
  tests: TestFiles;
  /** Tests that fail on this server without harm to the app, by a part of their name, each with the reason. */
  differences: Record<string, string>;
  /** Returns why it can't run on this machine although the programs are there, or null. */
  findObstacle?(programs: Record<string, string>): string | null;
  start(options: StartOptions): Promise<RunningServer>;
}

export interface StartOptions {
  /** The path of each program. */
  programs: Record<string, string>;
  /** An empty folder for its data and logs. */
  dir: string;
  /** The site's origins, which may upload. */
  origins: string[];
}

interface RunningServer {
  /** The app's settings that point at it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}
