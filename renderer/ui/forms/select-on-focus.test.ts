import { afterEach, expect, it } from 'vitest';
import { selectOnFocus } from './select-on-focus.ts';

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

afterEach(() => document.body.replaceChildren());

it('selects the text of a field that is focused, but not what was typed in that moment', async () => {
  const stop = selectOnFocus();
  const field = document.createElement('input');
  field.setAttribute('aria-haspopup', 'listbox');
  field.value = '3.1.0';
  document.body.append(field);
  field.focus();
  await frame();
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 5]);

  field.blur();
  field.value = '';
  field.focus();
  field.value = 'e';
  await frame();
  expect([field.selectionStart, field.selectionEnd]).toEqual([1, 1]);
  stop();
});
