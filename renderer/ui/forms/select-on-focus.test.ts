import { afterEach, beforeEach, expect, it } from 'vitest';
import { selectOnFocus } from './select-on-focus.ts';

let stop: () => void;
let field: HTMLInputElement;

beforeEach(() => {
  stop = selectOnFocus();
  field = document.createElement('input');
  field.setAttribute('aria-haspopup', 'listbox');
  field.value = '3.1.0';
  document.body.append(field);
});

afterEach(() => {
  stop();
  document.body.replaceChildren();
});

const selection = () => [field.selectionStart, field.selectionEnd];
const pointer = (type: string) => field.dispatchEvent(new PointerEvent(type, { bubbles: true }));

it('selects the text of a field before the first letter can come', () => {
  field.focus();
  expect(selection()).toEqual([0, 5]);
});

it('shows its start again when the browser has scrolled to the end of what is selected', async () => {
  field.focus();
  field.scrollLeft = 40;
  await new Promise(requestAnimationFrame);
  expect(field.scrollLeft).toBe(0);
});

it('selects it after the press that places the caret', () => {
  pointer('pointerdown');
  field.focus();
  field.setSelectionRange(2, 2);
  pointer('pointerup');
  expect(selection()).toEqual([0, 5]);
  // A second press is for a place in the text.
  pointer('pointerdown');
  field.setSelectionRange(2, 2);
  pointer('pointerup');
  expect(selection()).toEqual([2, 2]);
});

it('leaves what the press marked', () => {
  pointer('pointerdown');
  field.focus();
  field.setSelectionRange(1, 3);
  pointer('pointerup');
  expect(selection()).toEqual([1, 3]);
});

it('selects the text of any field that Tab leads to, and of no other', () => {
  field.removeAttribute('aria-haspopup');
  const press = (type: string) => document.body.dispatchEvent(new KeyboardEvent(type, { key: 'Tab', bubbles: true }));
  field.setSelectionRange(5, 5);
  press('keydown');
  field.focus();
  press('keyup');
  expect(selection()).toEqual([0, 5]);
  field.blur();
  field.setSelectionRange(5, 5);
  field.focus();
  expect(selection()).toEqual([5, 5]);
});

it('lets a press into what is only suggested select it: a username typed after it had been "mia-chenmia"', () => {
  field.removeAttribute('aria-haspopup');
  field.dataset['suggested'] = 'true';
  pointer('pointerdown');
  field.focus();
  field.setSelectionRange(5, 5);
  pointer('pointerup');
  expect(selection()).toEqual([0, 5]);
});
