import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Figures } from '@/lab/scale/figures';
import { HABITS, needsOf, PRICES, SIZING } from '@/lab/scale/model';
import { fillPage, readFigures } from '@/lab/scale/tables';

const WEEK = 7 * 24 * 3600;

const REQUEST = { appMs: 10, databaseMs: 1, kilobytes: 1 };

const FIGURES: Figures = {
  date: '2026-01-01',
  machine: 'a machine',
  requests: {
    dashboard: REQUEST,
    gallery: REQUEST,
    entry: REQUEST,
    search: REQUEST,
    media: REQUEST,
    json: REQUEST,
  },
  jobs: { copy: 1, encode: 1, previews: 2, speech: 7 },
  minutes: {
    copied: { uploaded: 20, played: 20, stored: 40 },
    encoded: { uploaded: 10, played: 15, stored: 40 },
  },
  tables: [{ name: 'entries', bytesPerEntry: 1000 }],
  logBytesPerEntry: 1000,
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

describe('what many people need', () => {
  const requests = Object.values(HABITS.requests).reduce((total, count) => total + count, 0);
  const minutes = HABITS.entries * HABITS.minutesPerEntry;

  it('adds up their busiest hour', () => {
    const needs = needsOf(WEEK, FIGURES);
    expect(needs.requestsPerSecond).toBeCloseTo(requests * SIZING.peak);
    expect(needs.webCores).toBeCloseTo((requests * SIZING.peak * 0.01) / SIZING.utilization.web);
    expect(needs.databaseCores).toBeCloseTo((requests * SIZING.peak * 0.001) / SIZING.utilization.database);
    expect(needs.workerCores).toBeCloseTo((minutes * SIZING.peak * 10) / SIZING.utilization.workers);
  });

  it('adds up a year of videos and rows', () => {
    const needs = needsOf(1000, FIGURES);
    expect(needs.storageTerabytes).toBeCloseTo((1000 * minutes * 52 * 40) / 1e6);
    expect(needs.cost.storage).toBeCloseTo(needs.storageTerabytes * 1000 * PRICES.storageGigabyte);
    expect(needs.databaseGigabytes).toBeCloseTo((1000 * HABITS.entries * 52 * 1000) / 1e9);
  });

  it('counts transcripts once more for each correction', () => {
    const transcripts = { ...FIGURES, tables: [{ name: 'transcripts', bytesPerEntry: 1000 }] };
    const more = needsOf(1000, transcripts).databaseGigabytes / needsOf(1000, FIGURES).databaseGigabytes;
    expect(more).toBeCloseTo(1 + HABITS.correctedShare);
  });

  it('delivers the video that plays, whatever was uploaded', () => {
    const played = 20 * (1 - HABITS.encodedShare) + 15 * HABITS.encodedShare;
    const { deliveredTerabytes } = needsOf(1000, FIGURES);
    expect(deliveredTerabytes).toBeCloseTo((1000 * HABITS.minutesWatched * (52 / 12) * played) / 1e6);
  });
});
