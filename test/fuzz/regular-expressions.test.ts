import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';

const server = fileURLToPath(new URL('../../server/', import.meta.url));
const longest = 100_000;
/** A linear pattern takes milliseconds for all of these texts, a quadratic one minutes, an exponential one for ever. */
const deadline = 20_000;

interface Found {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Every literal of the server's source that is a regular expression; a slash after an operator or a bracket begins one. */
function expressionsIn(file: string): Found[] {
  const text = readFileSync(join(server, file), 'utf8');
  const literal =
    /(?<=[=(,:[!&|?{};]\s*|return\s+)\/(?![*/])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g;
  return [...text.matchAll(literal)].flatMap((match) => {
    try {
      // What only looks like one does not compile, or comes out as prose of a comment.
      return [
        { place: `${file}: ${match[0]}`, source: new RegExp(match[1] ?? '', match[2]).source, flags: match[2] ?? '' },
      ];
    } catch {
      return [];
    }
  });
}

/** Texts that make a pattern go back and forth: pieces of itself, again and again, with an end that does not fit. */
function attacksOn(source: string): string[] {
  const words = source
    .replaceAll(/\\[dwsDWSbB]|\(\?[:=!<>a-z]*|[()[\]{}*+?|^$\\]/g, ' ')
    .split(' ')
    .filter((word) => word !== '');
  const characters = [...new Set(Array.from(`${source.replaceAll(/\\./g, '')}aA0 .-_/@~%=,;:"\\\n\t!`))];
  const units = [
    ...characters,
    ...words,
    ...words.map((word) => `${word} `),
    'a1',
    '0.',
    '-a',
    '.a',
    ' ,',
    'ab.',
    '/a',
    '@a/',
    '%2f',
    '/packages/npm/',
    '/packages/npmx',
    '; q=',
    ', br',
    'a,',
    '[a]',
    '::',
    '0:',
  ];
  const ends = ['', '!', '\u0000', ' x', '/', '-', '\n'];
  const starts = ['', ...words.slice(0, 3), 'a', '1.0.0-', '/api/v4/projects/', 'bytes='];
  const texts: string[] = [];
  for (const [index, unit] of units.entries()) {
    const body = unit.repeat(Math.ceil(longest / unit.length)).slice(0, longest);
    texts.push(
      `${starts[index % starts.length]}${body}${ends[index % ends.length]}`,
      `${starts[(index + 1) % starts.length]}${body}!`,
    );
  }
  return texts;
}

let worker: Worker;
beforeAll(() => {
  worker = new Worker(fileURLToPath(new URL('./support/regex-worker.js', import.meta.url)));
});
afterAll(() => worker.terminate());

const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);
const found = files.flatMap(expressionsIn);

test('the server’s regular expressions are found in its source', () => {
  expect(found.length).toBeGreaterThan(60);
});

test.each(found)('$place comes to an end whatever it reads', async ({ source, flags }) => {
  const answer = await new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve('still running'), deadline);
    worker.once('message', (message: string) => {
      clearTimeout(timer);
      resolve(message);
    });
    worker.postMessage({ source, flags, texts: attacksOn(source) });
  });
  if (answer !== 'done') {
    await worker.terminate();
    worker = new Worker(fileURLToPath(new URL('./support/regex-worker.js', import.meta.url)));
  }
  expect(answer).toBe('done');
});
