import { readFileSync } from 'node:fs';
import path from 'node:path';

const projectFolder = path.resolve(import.meta.dirname, '../..');

/** The blocks of code of a page of the docs, in their order. @param page path from the top folder */
export function codeBlocks(page: string, language: string): string[] {
  return parsePage(read(page)).flatMap((part) =>
    part.kind === 'block' && part.language === language ? part.code : [],
  );
}

/**
 * What a reader does on a page, as a script for bash. A comment of HTML before a block says what differs from running it at once:
 *
 * - `in the background`: a server; the next block is run when it is ready
 * - `exits with N`
 * - `not run: REASON`, or `run by FILE`, the test that runs it elsewhere
 * - `file NAME`: a block of another language that the reader saves under that name
 *
 * `first: COMMANDS` stands alone and prepares what the reader has at that point.
 */
export interface PageScript {
  readonly script: string;
  /** Number of commands that the reader types and the script runs. */
  readonly commands: number;
  readonly startsServer: boolean;
  /** Whatever would be skipped without a reason that is known. */
  readonly faults: readonly string[];
}

interface Block {
  readonly kind: 'block';
  readonly language: string;
  readonly code: string;
  readonly line: number;
}

interface Note {
  readonly kind: 'note';
  readonly text: string;
  /** Whether a block follows at once. */
  readonly isBeforeBlock: boolean;
  readonly line: number;
}

/** Languages of blocks that are shown and never typed into a terminal. */
const shown = new Set(['text', 'yaml', 'json', 'js', 'ts', 'ini']);

/** @param page path from the top folder @param readiness address that answers when a server of the page does */
export function pageScript(page: string, readiness: string): PageScript {
  const text = read(page);
  const parts = parsePage(text);
  const steps: string[] = [];
  const faults: string[] = [];
  let commands = 0;
  let note: Note | undefined;
  const fault = (line: number, what: string): void => void faults.push(`${page}:${line}: ${what}`);

  const fences = text.match(/^\s*(?:```|~~~)/gm)?.length ?? 0;
  if (fences !== 2 * parts.filter(({ kind }) => kind === 'block').length) fault(1, 'a block that is not read');

  for (const part of parts) {
    const step = `at='${page}:${part.line}'`;
    if (part.kind === 'note') {
      const alone = /^first:(?<code>[^]+)$/.exec(part.text)?.groups;
      if (alone) steps.push(step, alone['code'] ?? '');
      else if (part.isBeforeBlock) note = part;
      else fault(part.line, `a comment without its block: ${part.text}`);
      continue;
    }
    const marker = note?.text ?? '';
    note = undefined;
    const { file, status, reason, test } =
      /^(?:file (?<file>\S+)|exits with (?<status>\d+)|not run: (?<reason>.{10,})|run by (?<test>\S+))$/.exec(marker)
        ?.groups ?? {};
    if (part.language !== 'sh') {
      if (!shown.has(part.language)) fault(part.line, `a block of "${part.language}": commands are "sh"`);
      else if (file !== undefined) steps.push(step, `cat > '${file}' <<'END OF FILE'\n${part.code}END OF FILE`);
      else if (marker !== '') fault(part.line, `an unknown comment: ${marker}`);
      continue;
    }
    if (reason !== undefined) continue;
    if (test !== undefined) {
      if (!read(test).includes(page)) fault(part.line, `${test} does not read this page`);
      continue;
    }
    commands += commandsIn(part.code);
    if (marker === 'in the background') {
      steps.push(step, `{\n${part.code}}&`);
      steps.push(`until curl --silent --fail --output /dev/null '${readiness}'; do kill -0 $!; sleep 0.1; done`);
    } else if (status !== undefined) {
      steps.push(step, `set +e; (\n${part.code}); status=$?; set -e; test $status -eq ${status}`);
    } else {
      if (marker !== '') fault(part.line, `an unknown comment: ${marker}`);
      steps.push(step, part.code);
    }
  }
  const begin = ['set -euo pipefail', `trap '[ $? -eq 0 ] || echo "failed: $at" >&2' EXIT`];
  return {
    script: [...begin, ...steps].join('\n'),
    commands,
    startsServer: steps.some((step) => step.endsWith('}&')),
    faults,
  };
}

function parsePage(text: string): (Block | Note)[] {
  const parts = text.matchAll(/^<!-- (?<note>[^]*?) ?-->\n|^```(?<language>[^\n`]*)\n(?<code>[^]*?)^```$/gm);
  return [...parts].map(({ 0: whole, index, groups = {} }) => {
    const { note, language = '', code = '' } = groups as Readonly<Record<string, string | undefined>>;
    const line = text.slice(0, index).split('\n').length;
    if (note === undefined) return { kind: 'block', language, code, line };
    return { kind: 'note', text: note, isBeforeBlock: /^\n?```/.test(text.slice(index + whole.length)), line };
  });
}

/** Lines that begin a command: what continues the line before, or only comments, does not count. */
function commandsIn(code: string): number {
  return code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[^\s#]/.test(line)).length;
}

function read(file: string): string {
  return readFileSync(path.join(projectFolder, file), 'utf8');
}
