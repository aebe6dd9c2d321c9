/** Something is wrong with an archive, or with an entry of it. The message is a sentence for the person. */
export class ArchiveProblem extends Error {}

export const PROBLEMS = {
  noZip: 'This isn’t a ZIP file, or part of it is missing. Download it again, or choose another one.',
  foreign: 'This isn’t a Daylight archive. Choose the ZIP that Daylight made.',
  repacked: 'Another program has packed this ZIP again. Choose the one that Daylight made.',
  unreadable: 'Your browser can’t read this. Check that you can open it, then try again.',
  unexpected: 'Something went wrong. Reload the page, then try again.',
  noVideos: 'No videos found. Choose another folder or other files.',
  otherFiles: 'These aren’t the files from the interrupted import. Choose the same files, or stop importing.',
  runningElsewhere: 'An import is already running in another tab. Go to that tab, or close it.',
  severalArchives: 'Import a Daylight archive on its own, without other files.',
  newer: 'This archive comes from a newer version of Daylight, so this site can’t read it yet.',
  damaged: 'This archive is damaged. Download it again.',
  encrypted: 'This ZIP is password-protected. Unzip it first, then choose the folder.',
  unknownPacking: 'Your browser can’t open this kind of ZIP. Unzip it first, then choose the folder.',
  memberDamaged: 'This file is damaged in the ZIP. Download the ZIP again.',
  videoDamaged: 'This video is damaged in the archive. Download the archive again.',
  videoMissing: 'This video isn’t in the archive.',
  entryDamaged: 'This entry is damaged in the archive. Download the archive again.',
  wordsMissing: 'This entry’s transcript isn’t in the archive. Download the archive again.',
  wordsTooLarge: 'This entry’s transcript is too large to import.',
  wordsDamaged: 'This entry’s transcript is damaged in the archive. Download the archive again.',
} as const;
