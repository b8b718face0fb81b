// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { actWhenReady } from './reach.ts';

afterEach(() => {
  document.body.replaceChildren();
});

/** What the screen shows now, with a button that adds to its list. */
function show(onAdd: () => void): void {
  const screen = document.createElement('main');
  const button = document.createElement('button');
  button.dataset['command'] = 'new';
  button.addEventListener('click', onAdd);
  screen.append(button);
  document.body.replaceChildren(screen);
}

it('keeps a command for the screen that is on its way, instead of the one that is left', async () => {
  const [left, next] = [vi.fn(), vi.fn()];
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  show(left);
  actWhenReady('new', arrived);
  document.body.replaceChildren();
  arrive();
  await arrived;
  show(next);
  await expect.poll(() => next.mock.calls.length).toBe(1);
  expect(left).not.toHaveBeenCalled();
});

it('drops a command that its screen does not have at the next key', async () => {
  const added = vi.fn();
  actWhenReady('new', Promise.resolve());
  await Promise.resolve();
  dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
  show(added);
  await new Promise((resolve) => setTimeout(resolve));
  expect(added).not.toHaveBeenCalled();
});
