import { expect, it } from 'vitest';
import { COLUMNS, type Column, leaveCell, readEditorMove, readGridKey } from './grid-keys';

const press = (key: string, column: Column, row = 5, more = {}) =>
  readGridKey(
    { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more },
    { row, column: COLUMNS.indexOf(column) },
    20,
    8,
  );

it.each([
  ['ArrowDown', {}, { row: 6, column: 1 }],
  ['ArrowLeft', {}, { row: 5, column: 0 }],
  ['PageUp', {}, { row: 0, column: 1 }],
  ['PageDown', {}, { row: 13, column: 1 }],
  ['End', {}, { row: 5, column: 5 }],
  ['Home', { ctrlKey: true }, { row: 0, column: 0 }],
  ['End', { metaKey: true }, { row: 19, column: 5 }],
])('moves with %s %j', (key, more, to) => {
  expect(press(key, 'title', 5, more)).toEqual({ type: 'move', to, isRange: false });
});

it('extends the selection with Shift, but only over rows', () => {
  expect(press('ArrowUp', 'title', 5, { shiftKey: true })).toMatchObject({ isRange: true });
  expect(press('ArrowRight', 'title', 5, { shiftKey: true })).toMatchObject({ isRange: false });
});

it('starts editing with the typed character where it makes sense', () => {
  expect(press('p', 'title')).toEqual({ type: 'edit', typed: 'p' });
  expect(press('7', 'date')).toEqual({ type: 'edit', typed: '7' });
  expect(press('p', 'date')).toEqual({ type: 'open' });
  expect(press('x', 'status')).toBeNull();
  expect(press('Enter', 'tags')).toEqual({ type: 'edit', typed: null });
});

it('leaves the browser’s own shortcuts alone', () => {
  expect(press('f', 'title', 5, { ctrlKey: true })).toBeNull();
  expect(press('ArrowLeft', 'title', 5, { altKey: true })).toBeNull();
  expect(press('a', 'title', 5, { metaKey: true })).toEqual({ type: 'select_all' });
  expect(press('Tab', 'title')).toBeNull();
});

it('goes on from an edited cell, but not out of the grid', () => {
  const leave = (key: string, shiftKey: boolean, row: number) =>
    leaveCell({ row, column: 2 }, readEditorMove({ key, shiftKey }), 20);
  expect(leave('Enter', false, 5)).toEqual({ row: 6, column: 2 });
  expect(leave('Enter', false, 19)).toEqual({ row: 19, column: 2 });
  expect(leave('Tab', true, 5)).toEqual({ row: 5, column: 1 });
  expect(leave('x', false, 5)).toEqual({ row: 5, column: 2 });
});
