import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocus } from './keep-focus.ts';

let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<div id="root"></div>';
  stop = keepFocus();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Draws the page and returns a function that finds what has this id. */
function draw(html: string): (id: string) => HTMLElement {
  const root = document.getElementById('root');
  if (root !== null) root.innerHTML = html;
  return (id) => {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`There is no ${id}.`);
    return found;
  };
}

/** What has the focus once everything has had its time. */
async function focused(): Promise<string | undefined> {
  await vi.advanceTimersByTimeAsync(1_000);
  return document.activeElement?.id;
}

test('the focus of a row that goes moves to another of its list', async () => {
  const the = draw(
    '<main><h1 tabindex="-1"></h1><ul><li id="row"><button id="a"></button></li><li><button id="b"></button></li></ul></main>',
  );
  the('a').focus();
  the('row').remove();
  expect(await focused()).toBe('b');
});

test('the focus of the last of its list moves to the heading of the screen', async () => {
  const the = draw(
    '<button></button><main><h1 id="title" tabindex="-1"></h1><ul><li id="row"><button id="a"></button></li></ul></main>',
  );
  the('a').focus();
  the('row').remove();
  expect(await focused()).toBe('title');
});

test('a dialog that was opened from a menu gives the focus back to the button of the menu', async () => {
  const the = draw('<main><h1 tabindex="-1"></h1><button id="other"></button><button id="menu"></button></main>');
  const portal = document.createElement('div');
  portal.dataset['portal'] = 'true';
  document.body.append(portal);
  the('menu').focus();
  portal.innerHTML = '<div role="menu"><button id="item"></button></div><button id="foreign"></button>';
  the('item').focus();
  the('item').remove();
  portal.insertAdjacentHTML('beforeend', '<section id="dialog" role="dialog"><button id="close"></button></section>');
  the('close').focus();
  the('dialog').remove();
  expect(await focused()).toBe('menu');
});

test('a button that is busy has the focus again when it is done, and one that stays disabled gives it to a neighbour', async () => {
  const the = draw('<main><form><input id="field"><input type="hidden"><button id="save"></button></form></main>');
  the('save').focus();
  the('save').blur();
  the('save').dataset['loading'] = 'true';
  the('save').setAttribute('disabled', '');
  expect(await focused()).toBe('');
  delete the('save').dataset['loading'];
  the('save').removeAttribute('disabled');
  expect(await focused()).toBe('save');
  the('save').blur();
  the('save').setAttribute('disabled', '');
  expect(await focused()).toBe('field');
});

test('whoever clicked beside everything keeps the focus nowhere', async () => {
  const the = draw('<main><button id="a"></button><p id="text"></p></main>');
  the('a').focus();
  the('a').blur();
  the('text').remove();
  await focused();
  expect(document.activeElement).toBe(document.body);
});

test('a field that a dialog starts with is scrolled to, and a button is not', () => {
  const the = draw('<input id="field" data-autofocus><button id="cancel" data-autofocus></button><input id="other">');
  const scrolled: string[] = [];
  for (const id of ['field', 'cancel', 'other']) the(id).scrollIntoView = () => scrolled.push(id);
  for (const id of ['cancel', 'other', 'field']) the(id).focus();
  expect(scrolled).toEqual(['field']);
});
