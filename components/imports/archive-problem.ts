/** Something is wrong with an archive, or with an entry of it. The message is a sentence for the person. */
export class ArchiveProblem extends Error {}

export const PROBLEMS = {
  noZip:
    'This isn’t a ZIP file, or part of it is missing. Choose the ZIP that Daylight made, or download it again.',
  foreign: 'This isn’t a Daylight archive. Choose the ZIP that Daylight made.',
  repacked: 'Another program has packed this ZIP again. Choose the one that Daylight made.',
  newer: 'This archive comes from a newer version of Daylight, so this site can’t read it yet.',
  damaged: 'This archive is damaged. Download it again.',
  videoDamaged: 'This video is damaged in the archive. Download the archive again.',
  videoMissing: 'This video isn’t in the archive.',
  entryDamaged: 'This entry is damaged in the archive. Download the archive again.',
  wordsMissing: 'This entry’s transcript isn’t in the archive. Download the archive again.',
  wordsTooLarge: 'This entry’s transcript is too large to import.',
  wordsDamaged: 'This entry’s transcript is damaged in the archive. Download the archive again.',
} as const;
