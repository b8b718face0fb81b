import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const tokens = readFileSync(path.join(import.meta.dirname, '../renderer/ui/theme/tokens.css'), 'utf8');
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
/** Red, green and blue, each up to 255. */
type Color = readonly number[];
const white: Color = [255, 255, 255];

/** What `tokens.css` says for a theme, as it is on top of `below` where it lets that shine through. */
function colorOf(name: string, theme: Theme, below = white): Color {
  const [, ...pair] =
    new RegExp(`--gh-${name}: light-dark\\((#\\w+|rgba\\(.*?\\)), (#\\w+|rgba\\(.*?\\))\\)`).exec(tokens) ?? [];
  const color = pair[themes.indexOf(theme)];
  if (color === undefined) throw new Error(`tokens.css has no pair of colours named ${name}.`);
  if (color.startsWith('#')) return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [red = 0, green = 0, blue = 0, share = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue].map((part, index) => part * share + (below[index] ?? 0) * (1 - share));
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As WCAG defines it. */
function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

it.each(themes)('a switch that is off is seen on every background, and its knob on it: %s', (theme) => {
  const track = colorOf('unchecked', theme);
  for (const background of ['canvas', 'surface', 'overlay'])
    expect(contrast(track, colorOf(background, theme)), background).toBeGreaterThanOrEqual(3);
  expect(contrast(track, white), 'knob').toBeGreaterThanOrEqual(3);
});

it.each(themes)(
  'a box that is not checked is seen on every background, on a marked row, and around its inside: %s',
  (theme) => {
    const frame = colorOf('unchecked', theme);
    for (const background of ['canvas', 'surface', 'overlay', 'field'])
      expect(contrast(frame, colorOf(background, theme)), background).toBeGreaterThanOrEqual(3);
    const canvas = colorOf('canvas', theme);
    for (const mark of ['hover', 'selected'])
      expect(contrast(frame, colorOf(mark, theme, canvas)), mark).toBeGreaterThanOrEqual(3);
  },
);

it.each(themes)('the words of a marked option, item or row are read on its colour: %s', (theme) => {
  for (const background of ['canvas', 'surface', 'overlay']) {
    const mark = colorOf('selected', theme, colorOf(background, theme));
    for (const text of ['text', 'muted', 'accent', 'danger'])
      expect(contrast(colorOf(text, theme), mark), `${text} on ${background}`).toBeGreaterThanOrEqual(4.5);
  }
});

it.each(themes)('the done part of a progress bar is told from the rest: %s', (theme) => {
  expect(contrast(colorOf('progress', theme), colorOf('track', theme))).toBeGreaterThanOrEqual(3);
});

it.each(themes)(
  'a placeholder is read in a field and in the palette, whose field has no colour of its own: %s',
  (theme) => {
    for (const background of ['field', 'overlay'])
      expect(contrast(colorOf('placeholder', theme), colorOf(background, theme)), background).toBeGreaterThanOrEqual(
        4.5,
      );
  },
);

it.each(themes)('the bar of a notification that something failed is seen: %s', (theme) => {
  expect(contrast(colorOf('danger', theme), colorOf('overlay', theme))).toBeGreaterThanOrEqual(3);
});
