import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocus } from './keep-focus.ts';

let stop: () => void;

beforeEach(() => {
  // The simulated page draws nothing.
  Element.prototype.checkVisibility = function () {
    return this.closest('[hidden]') === null;
  };
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

test('the focus of a row that goes moves to the row after it, and from the last row to the one before it', async () => {
  const row = (name: string) =>
    `<li id="${name}-row"><button id="${name}"></button><button id="${name}-menu"></button></li>`;
  const the = draw(`<main><h1 tabindex="-1"></h1><ul>${row('a')}${row('b')}${row('c')}</ul></main>`);
  the('b-menu').focus();
  the('b-row').remove();
  expect(await focused()).toBe('c');
  the('c-row').remove();
  expect(await focused()).toBe('a-menu');
});

test('the focus of the last row that goes moves to the row before it, not to a control in that', async () => {
  const the = draw(
    '<main><h1 tabindex="-1"></h1><div role="grid"><button></button><div id="a" role="row" tabindex="0"><button></button></div><div id="b" role="row" tabindex="-1"><button id="menu"></button></div></div></main>',
  );
  the('menu').focus();
  the('b').remove();
  expect(await focused()).toBe('a');
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

test('the focus of a button that goes alone moves on from there, not to the start of the screen or to what is hidden', async () => {
  const bar = '<div hidden><input id="search"></div><button id="first"></button>';
  const the = draw(
    `<main><h1 tabindex="-1"></h1><section>${bar}<p><button id="send"></button></p><div><button id="row"></button></div></section></main>`,
  );
  the('send').focus();
  the('send').remove();
  expect(await focused()).toBe('row');
  the('row').remove();
  expect(await focused()).toBe('first');
});

test('the focus of the menu of a row that has none any more goes to the row, not to a link in it', async () => {
  const the = draw(
    '<main><div id="row" tabindex="0"><a id="link" href="#"></a><p><button id="menu"></button></p></div></main>',
  );
  the('menu').focus();
  the('menu').remove();
  expect(await focused()).toBe('row');
});
