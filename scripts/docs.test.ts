import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { errorTable, exitCodes } from '../server/contract/errors.ts';
import { buildProgram } from '../server/cli/program.ts';
import { isCurrent } from './commands-page.ts';

const projectFolder = path.resolve(import.meta.dirname, '..');
const pages = globSync(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/**/*.md'], { cwd: projectFolder });
const read = (page: string) => readFileSync(path.join(projectFolder, page), 'utf8');

/** Rows of the tables of a page, each as its cells. */
const rowsOf = (page: string) =>
  read(page)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| -'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

it('the page of the commands is current; "npm run commands-page" writes it', async () => {
  expect(await isCurrent()).toBe(true);
});

it('every error code and exit code is in the guide, with its status and text, a cause and what to do', () => {
  const rows = rowsOf('docs/guide/errors.md');
  const codes = rows.filter((cells) => cells.length === 5 && cells[0] !== 'code');
  expect(codes.map(([code, status, text]) => [code, Number(status), text])).toEqual(
    Object.entries(errorTable).map(([code, { status, text }]) => [`\`${code}\``, status, text]),
  );
  const exits = rows.filter((cells) => cells.length === 4 && cells[0] !== 'code');
  expect(exits.map(([code, name]) => [Number(code), name])).toEqual(
    Object.entries(exitCodes).map(([name, code]) => [code, `\`${name}\``]),
  );
  for (const cells of [...codes, ...exits]) for (const cell of cells.slice(-2)) expect(cell, cells[0]).toMatch(/.\.$/);
});

it.each(pages)('every link and picture of %s leads somewhere', (page) => {
  const targets = [...read(page).matchAll(/\]\((?<a>[^)\s]+)\)|(?:src|srcset)="(?<b>[^"]+)"/g)].map(
    ({ groups = {} }) => groups['a'] ?? groups['b'] ?? '',
  );
  const broken = targets.filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(page, target));
  expect(broken).toEqual([]);
});

it('every command and option that the docs name exists', async () => {
  const program = await buildProgram();
  const unknown = pages.flatMap((page) =>
    [...read(page).matchAll(/(?<=^|[`"]|npx )gatehouse (?<words>[a-z][a-z-]+[^`"\n#|&;)]*)/gm)].flatMap(
      ({ groups }) => {
        const words = (groups?.['words'] ?? '').split(' ');
        const command = program.commands.find((one) => one.name() === words[0]);
        const below = command?.commands.find((one) => one.name() === words[1]);
        if (!command) return `${page}: ${words[0]}`;
        const options = (below ?? command).options.flatMap(({ long, short }) => [long, short, '--help']);
        return words
          .filter((word) => /^--?[a-z]/.test(word) && !options.includes(word))
          .map((word) => `${page}: ${command.name()} ${word}`);
      },
    ),
  );
  expect(unknown).toEqual([]);
});

it('every page of the guide is in its index', () => {
  const index = read('docs/guide/README.md');
  const missing = globSync('docs/guide/*.md', { cwd: projectFolder }).filter(
    (page) => !page.endsWith('README.md') && !index.includes(`](${path.basename(page)})`),
  );
  expect(missing).toEqual([]);
});

function leadsSomewhere(page: string, target: string): boolean {
  const [file = '', fragment] = target.split('#');
  const found = file === '' ? page : path.join(path.dirname(page), decodeURIComponent(file));
  if (!existsSync(path.join(projectFolder, found))) return false;
  return fragment === undefined || anchors(found).includes(fragment);
}

/** Anchors of a page's headings, as code hosts make them. */
function anchors(page: string): string[] {
  return [...read(page).matchAll(/^#+ (?<title>.+)$/gm)].map(({ groups }) =>
    (groups?.['title'] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
