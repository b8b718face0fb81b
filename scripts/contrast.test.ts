import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const tokens = readFileSync(path.join(import.meta.dirname, '../renderer/ui/theme/tokens.css'), 'utf8');
const themes = ['light', 'dark'] as const;

/** What `tokens.css` says for a theme. */
function colorOf(name: string, theme: (typeof themes)[number]): string {
  const [, ...pair] = new RegExp(`--gh-${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens) ?? [];
  const color = pair[themes.indexOf(theme)];
  if (color === undefined) throw new Error(`tokens.css has no pair of colours named ${name}.`);
  return color;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As WCAG defines it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

it.each(themes)('a switch that is off is seen on every background, and its knob on it: %s', (theme) => {
  const track = colorOf('switch-off', theme);
  for (const background of ['canvas', 'surface', 'overlay'])
    expect(contrast(track, colorOf(background, theme)), background).toBeGreaterThanOrEqual(3);
  expect(contrast(track, '#ffffff'), 'knob').toBeGreaterThanOrEqual(3);
});

it.each(themes)('the done part of a progress bar is told from the rest: %s', (theme) => {
  expect(contrast(colorOf('progress', theme), colorOf('track', theme))).toBeGreaterThanOrEqual(3);
});
