import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Figures } from '@/lab/scale/figures';
import { needsOf } from '@/lab/scale/model';
import { fillPage, readFigures } from '@/lab/scale/tables';

/** As many people as a week has seconds: each week's work is a second's. */
const PEOPLE = 604_800;

const FIGURES: Figures = {
  date: '2026-01-01',
  machine: 'a machine',
  requests: {
    dashboard: { appMs: 40, databaseMs: 4, kilobytes: 1 },
    gallery: { appMs: 20, databaseMs: 5, kilobytes: 1 },
    entry: { appMs: 20, databaseMs: 3, kilobytes: 1 },
    search: { appMs: 50, databaseMs: 20, kilobytes: 1 },
    media: { appMs: 2, databaseMs: 0.5, kilobytes: 1 },
    json: { appMs: 5, databaseMs: 1, kilobytes: 1 },
  },
  jobs: { copy: 1, encode: 11, previews: 2, speech: 7 },
  minutes: {
    copied: { uploaded: 20, played: 20, stored: 40 },
    encoded: { uploaded: 10, played: 15, stored: 60 },
  },
  tables: [
    { name: 'entries', bytesPerEntry: 1000 },
    { name: 'transcripts', bytesPerEntry: 10_000 },
  ],
  logBytesPerEntry: 7_000_000,
};

describe('lab/reports/scale.md', () => {
  it('has the tables of what was measured last', () => {
    const page = readFileSync('lab/reports/scale.md', 'utf8');
    expect(fillPage(page, readFigures())).toBe(page);
  });

  it('fails without a marker', () => {
    expect(() => fillPage('# Scale\n', FIGURES)).toThrow('<!-- measured:start -->');
  });
});

// Worked out by hand from the habits, sizes, and prices in lab/scale/model.ts: 145 requests and 3 entries of 5 minutes a
// week, 30 % of them encoded again, and an hour that's four times as busy as the mean.
describe('what many people need', () => {
  it('is sized for their busiest hour', () => {
    const needs = needsOf(PEOPLE, FIGURES);
    expect(needs.requestsPerSecond).toBeCloseTo(580);
    expect(needs.uploadsPerMinute).toBeCloseTo(720);
    // 1.26 s of the app and 0.294 s of the database for each, on cores that are half and 40 % busy.
    expect(needs.webCores).toBeCloseTo(10.08);
    expect(needs.databaseCores).toBeCloseTo(2.94);
    // 15 minutes of 2 + 7 + 4 s, on cores that are 80 % busy.
    expect(needs.workerCores).toBeCloseTo(975);
  });

  it('is storage, rows, and log for a year', () => {
    const needs = needsOf(1000, FIGURES);
    // 780,000 minutes of 46 MB.
    expect(needs.storageTerabytes).toBeCloseTo(35.88);
    // 156,000 entries of 1,000 bytes, and of 10,000 that 30 % have twice.
    expect(needs.databaseGigabytes).toBeCloseTo(2.184);
    expect(needs.logGigabytes).toBeCloseTo(3.9);
  });

  it('is traffic of the video that plays, whatever was uploaded', () => {
    // 10 minutes of 18.5 MB in each of 4⅓ weeks.
    expect(needsOf(1000, FIGURES).deliveredTerabytes).toBeCloseTo(0.8017, 4);
  });

  it('costs what its parts cost', () => {
    const { cost } = needsOf(PEOPLE, FIGURES);
    expect(cost.web).toBeCloseTo(252);
    expect(cost.workers).toBeCloseTo(24_375);
    // 2.94 cores with a standby, and 1,320.8832 GB.
    expect(cost.database).toBeCloseTo(815.11, 2);
    expect(needsOf(1000, FIGURES).cost.storage).toBeCloseTo(538.2);
  });
});
