import { hostname } from 'node:os';
import type { Mail } from '@/lib/clients/mail-message';
import { env } from '@/lib/foundation/env';
import { renderEmail } from './write-mail';

/**
 * Tells the operator which disks are almost full.
 * @param disks a sentence about each, with its folders
 */
export function diskFullMail(to: string, disks: string[]): Promise<Mail> {
  const { host } = new URL(env().APP_URL);
  return renderEmail({ email: to }, `A disk of ${host} is almost full`, {
    preview: disks.join(' '),
    heading: 'A disk is almost full',
    paragraphs: [
      `Less than 10% is free on a disk of the server that runs ${host}:`,
      ...disks,
      'Delete what you no longer need there, or switch to a larger disk. Once it’s full, uploads fail, and if the database is on it, so does everything else. The site recovers by itself once there’s space.',
      'On the server, run `npm run daylight -- doctor` to see how much is free, and `du -xh FOLDER | sort -h | tail` to see what takes up the most space.',
    ],
    footnote:
      'You get this email at most once a day while a disk is this full, because you’re the operator in the site’s settings.',
  });
}

/** Passes on what a program on the server reports, such as a backup that failed. @param report what it wrote, if anything */
export function alertMail(to: string, subject: string, report: string): Promise<Mail> {
  const { host } = new URL(env().APP_URL);
  return renderEmail({ email: to }, subject, {
    preview: `From ${hostname()}, which runs ${host}.`,
    paragraphs: [`${hostname()}, which runs ${host}, reports${report ? ':' : ' this without saying more.'}`],
    ...(report && { code: report }),
    footnote: 'You get this email because you’re the operator in the site’s settings.',
  });
}
