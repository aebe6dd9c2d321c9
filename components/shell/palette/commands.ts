import { BookOpen, CalendarDays, type IconNode, LogOut, Search, Settings, Upload, Video } from 'lucide';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { searchHref } from '@/components/journal/search/search-filters';
import { addDays, type CalendarDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { readTypedDay } from './typed-day';

/** Something to choose in the palette: a page to open or, without an address, asking for a date. */
export interface Command {
  id: string;
  label: string;
  /** What else to say about it. */
  detail?: string;
  icon: IconNode;
  href: string | null;
}

export const ASK_DATE: Command = {
  id: 'date',
  label: 'Go to date…',
  icon: CalendarDays,
  href: null,
};

const ACTIONS: Command[] = [
  { id: 'record', label: 'Record', detail: 'A new entry', icon: Video, href: '/upload' },
  { id: 'upload', label: 'Upload', detail: 'A video file', icon: Upload, href: '/upload' },
  ASK_DATE,
  { id: 'journal', label: 'Journal', icon: BookOpen, href: '/journals' },
  { id: 'settings', label: 'Settings', icon: Settings, href: '/settings' },
  { id: 'logout', label: 'Log out', icon: LogOut, href: '/logout' },
];

const SETTINGS: Command[] = Object.entries(SETTINGS_PAGES).map(([page, label]) => ({
  id: `settings-${page}`,
  label,
  detail: 'Settings',
  icon: Settings,
  href: `/settings/${page}`,
}));

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

const toDay = (date: CalendarDate, label?: string): Command => {
  const text = dateFormat.format(Date.parse(toIso(date)));
  return {
    id: `day-${toIso(date)}`,
    label: label ?? text,
    detail: label ? text : 'Go to date',
    icon: CalendarDays,
    href: `/day/${toIso(date)}`,
  };
};

/** Whether each word typed begins a word of a command. */
function matches({ label, detail = '' }: Command, typed: string[]): boolean {
  const words = `${label} ${detail}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return typed.every((start) => words.some((word) => word.startsWith(start)));
}

/** Returns what can be chosen for what was typed: a day, actions, and the search for it. */
export function findCommands(query: string, today: CalendarDate): Command[] {
  const typed = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (typed.length === 0) return ACTIONS;
  const day = readTypedDay(query, today);
  return [
    ...(day ? [toDay(day)] : []),
    ...[...ACTIONS, ...SETTINGS].filter((command) => matches(command, typed)),
    {
      id: 'search',
      label: `Search for “${query.trim()}”`,
      icon: Search,
      href: searchHref({ query: query.trim(), categories: [] }),
    },
  ];
}

/** Returns the days that can be chosen for what was typed while a date is asked for. */
export function findDays(query: string, today: CalendarDate): Command[] {
  if (query.trim() === '') return [toDay(today, 'Today'), toDay(addDays(today, -1), 'Yesterday')];
  const day = readTypedDay(query, today);
  return day ? [toDay(day)] : [];
}
