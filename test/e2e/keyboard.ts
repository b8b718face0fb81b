import type { Locator, Page } from '@playwright/test';
import { expect, test as base } from './fixtures.ts';

/** A person without a mouse: every key goes to what has the focus, and that is always something, and seen. */
export interface Keyboard {
  /** Presses keys one after the other, each where the focus is. */
  readonly press: (...keys: string[]) => Promise<void>;
  /** Types text where the focus is, in place of what is there. */
  readonly type: (text: string) => Promise<void>;
  /** Types letters on a list, which leads to the row of that name, faster than the pause after which a list begins anew. */
  readonly typeAhead: (text: string) => Promise<void>;
  /** Goes to the search field of the screen and types into it in place of what is there; an empty text clears it. */
  readonly find: (text: string) => Promise<void>;
  /** Walks with Tab (Shift+Tab when `back`) until `target` has the focus; fails if no walk leads there or the focus cannot be seen on the way. */
  readonly walkTo: (target: Locator, direction?: 'forward' | 'back') => Promise<void>;
  /** Walks to `target` and presses Enter there. */
  readonly enter: (target: Locator, direction?: 'forward' | 'back') => Promise<void>;
  /** Walks to a field and types into it in place of what is there. */
  readonly fill: (field: Locator, text: string) => Promise<void>;
  /** Walks to a button, opens its menu and chooses the item by arrows. */
  readonly choose: (button: Locator, item: RegExp | string) => Promise<void>;
  /** Switches a row of choices of which one is taken (a segmented control, tabs) to `name`, by arrows. */
  readonly switchTo: (
    group: Locator,
    role: 'radio' | 'tab',
    name: RegExp | string,
    direction?: 'forward' | 'back',
  ) => Promise<void>;
  /** Goes to a screen by its shortcut. */
  readonly go: (screen: keyof typeof screens) => Promise<void>;
  /** Waits until something has the focus again (after a dialog, a restart, a row that went) and returns its name. */
  readonly settled: () => Promise<string>;
}

const screens = {
  Packages: 'Control+1',
  Inbox: 'Control+i',
  Environments: 'Control+2',
  Connect: 'Control+3',
  People: 'Control+4',
  Activity: 'Control+5',
  Overview: 'Control+6',
  Backups: 'Control+7',
  Upstream: 'Control+8',
  Settings: 'Control+,',
} as const;

/** More stops than any screen has. */
const longestWalk = 150;

/** What the listeners in the page note; the test fails over it. */
interface Notes {
  cheats: string[];
}

/** A keyboard for `page`. From now on any use of a mouse, or text that no key has typed, fails the test. */
export async function keyboardOf(page: Page): Promise<Keyboard> {
  await page.evaluate(watchForCheats);
  const stand = async (): Promise<Stand> => {
    const found = await page.evaluate(whereTheFocusIs);
    expect(found.cheats, 'used without the keyboard').toEqual([]);
    return found;
  };
  const settled = async (): Promise<string> => {
    await expect.poll(async () => (await stand()).name, { message: 'what has the focus' }).not.toBe('');
    return (await stand()).name;
  };
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await settled();
      await page.keyboard.press(key);
    }
  };
  const type = async (text: string): Promise<void> => {
    await settled();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  };
  const typeAhead = async (text: string): Promise<void> => {
    await settled();
    await typeAtOnce(page, text);
  };
  const find = async (text: string): Promise<void> => {
    // One that still closes covers the field.
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const field = page.locator('main [data-command="find"]');
    await press('Control+f');
    await expect(field).toBeFocused();
    await type(text);
    if (text === '') await page.keyboard.press('Delete');
    await expect(field).toHaveValue(text);
  };
  const walkTo = async (target: Locator, direction: 'forward' | 'back' = 'forward'): Promise<void> => {
    await target.waitFor({ state: 'attached' });
    await settled();
    const trail: string[] = [];
    for (let step = 0; step < longestWalk; step += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press(direction === 'forward' ? 'Tab' : 'Shift+Tab');
      const { name, seen } = await stand();
      trail.push(name);
      // Past the last stop of the page comes the frame of the window, which is none of the page's elements.
      if (name !== '' && !seen) throw new Error(`The focus cannot be seen on: ${name}`);
    }
    throw new Error(`No walk leads to ${String(target)}. The stops were:\n${trail.join('\n')}`);
  };
  const enter = async (target: Locator, direction?: 'forward' | 'back'): Promise<void> => {
    await walkTo(target, direction);
    await press('Enter');
  };
  return {
    press,
    type,
    typeAhead,
    find,
    walkTo,
    enter,
    settled,
    fill: async (field, text) => {
      await walkTo(field);
      await type(text);
      await expect(field).toHaveValue(text);
    },
    choose: async (button, item) => {
      await enter(button);
      const wanted = page.getByRole('menuitem', { name: item }).or(page.getByRole('menuitemradio', { name: item }));
      await wanted.waitFor();
      for (let step = 0; step < 20; step += 1) {
        await press('ArrowDown');
        if (await wanted.evaluate((element) => element === document.activeElement)) {
          await press('Enter');
          return;
        }
      }
      throw new Error(`No arrow leads to the menu item ${String(item)}.`);
    },
    switchTo: async (group, role, name, direction) => {
      const taken =
        role === 'tab' ? group.getByRole('tab', { selected: true }) : group.getByRole('radio', { checked: true });
      const wanted = group.getByRole(role, { name });
      await walkTo(taken, direction);
      for (let step = 0; step < 12; step += 1) {
        if (await wanted.evaluate((element) => element === document.activeElement)) return;
        await press('ArrowRight');
      }
      throw new Error(`No arrow leads to ${String(name)}.`);
    },
    go: async (screen) => {
      await press(screens[screen]);
      await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible();
    },
  };
}

/** Types letter upon letter without waiting for what each does: a machine that is busy may take longer for one than a person's pause. */
export async function typeAtOnce(page: Page, text: string): Promise<void> {
  await Promise.all(Array.from(text, (letter) => page.keyboard.press(letter)));
}

/** Tests that only have a keyboard. */
export const test = base.extend<{ keys: Keyboard }>({
  keys: async ({ gatehouse }, use) => {
    await use(await keyboardOf(gatehouse.page));
    if (gatehouse.app.process().exitCode !== null) return;
    expect((await gatehouse.page.evaluate(whereTheFocusIs)).cheats, 'used without the keyboard').toEqual([]);
  },
});

export { expect };

interface Stand extends Notes {
  /** Role and name of what has the focus; empty if nothing has. */
  readonly name: string;
  /** Whether it can be seen there. */
  readonly seen: boolean;
}

/** Runs in the page. */
function watchForCheats(): void {
  const notes: Notes = { cheats: [] };
  (window as unknown as { keyboardNotes: Notes }).keyboardNotes = notes;
  let typedInto: EventTarget | null = null;
  for (const kind of ['pointerdown', 'mousedown', 'wheel', 'dragstart']) {
    addEventListener(kind, (event) => event.isTrusted && notes.cheats.push(kind), { capture: true, passive: true });
  }
  addEventListener('keydown', (event) => (typedInto = event.target), { capture: true });
  addEventListener(
    'input',
    (event) => {
      const isText =
        event.target instanceof HTMLElement && !event.target.matches('[type=radio], [type=checkbox], [type=file]');
      if (event.isTrusted && isText && event.target !== typedInto) notes.cheats.push('text that no key has typed');
    },
    { capture: true },
  );
}

/** Runs in the page. */
function whereTheFocusIs(): { name: string; seen: boolean; cheats: string[] } {
  const { cheats } = (window as unknown as { keyboardNotes?: Notes }).keyboardNotes ?? { cheats: [] };
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return { name: '', seen: false, cheats };
  const label = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 60);
  const name = `${element.getAttribute('role') ?? element.localName} "${label}"`;
  const drawn = (each: Element | null | undefined): boolean => {
    if (!each) return false;
    // A tab draws it with what it generates, as its own box ends at its text.
    return [undefined, '::after'].some((part) => {
      const { content, outlineStyle, outlineWidth } = getComputedStyle(each, part);
      return (
        (part === undefined || content !== 'none') && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
      );
    });
  };
  // A heading or a page takes the focus for the reader of a screen; it is no stop of Tab.
  const isPlace = element.tabIndex === -1 && !element.matches('[role^="menuitem"]');
  const isFilled = (each: Element): boolean => getComputedStyle(each).backgroundColor !== 'rgba(0, 0, 0, 0)';
  const seen =
    isPlace ||
    (element.matches('[role^="menuitem"]') && isFilled(element)) ||
    // The parts that draw a switch, a checkbox or a segment stand beside or around the input, which itself cannot be seen.
    [
      element,
      element.nextElementSibling,
      element.parentElement,
      element.closest('[data-variant]:focus-within'),
      (element as HTMLInputElement).labels?.[0],
    ].some(drawn);
  return { name, seen, cheats };
}
