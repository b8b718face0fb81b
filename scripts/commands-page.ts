import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Argument, Command, Option } from 'commander';
import { format, resolveConfig } from 'prettier';
import { buildProgram } from '../server/cli/program.ts';

/*
 * Writes docs/reference/commands.md from the commands themselves: `npm run commands-page`. A test says if the page is not what this would write.
 */

export const page = fileURLToPath(new URL('../docs/reference/commands.md', import.meta.url));

/** The text of the page. */
export async function renderPage(): Promise<string> {
  const program = await buildProgram();
  const text = [
    '# Commands',
    '<!-- Written by scripts/commands-page.ts from the commands themselves. -->',
    'Each command has `--help`. With a server that runs they act on it, without one on the data folder: `--data-dir FOLDER`, or the variable `GATEHOUSE_DATA_DIR`. ' +
      'Exit codes are among the [errors](../guide/errors.md#a-server-that-does-not-start).',
    ...program.commands.flatMap((command) => renderCommand(command, 'gatehouse', '##')),
  ].join('\n\n');
  return format(text, { ...(await resolveConfig(page)), filepath: page });
}

function renderCommand(command: Command, parent: string, level: string): string[] {
  const name = `${parent} ${command.name()}`;
  const parts = command.registeredArguments.map((argument) => ` ${argumentText(argument)}`).join('');
  const items = [
    ...command.registeredArguments.map((argument) => item(argumentText(argument), argument.description)),
    ...command.options
      .filter(({ long, hidden }) => long !== '--data-dir' && !hidden)
      .map((option) => item(option.flags, meaning(option))),
  ];
  const head = [`${level} ${name}`, ...(command.commands.length > 0 ? [] : [`\`${name}${parts}\``])];
  return [
    ...head,
    sentence(command.description()),
    ...(items.length > 0 ? [items.join('\n')] : []),
    ...command.commands.flatMap((below) => renderCommand(below, name, '###')),
  ];
}

function item(term: string, text: string): string {
  return text === '' ? `- \`${term}\`` : `- \`${term}\`: ${text}`;
}

function argumentText(argument: Argument): string {
  const name = `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}`;
  return argument.required ? name : `[${name}]`;
}

function meaning({ description, argChoices, defaultValue, defaultValueDescription, envVar }: Option): string {
  const standard = defaultValueDescription ?? (typeof defaultValue === 'boolean' ? undefined : defaultValue);
  const notes = [
    argChoices && `one of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`,
    standard !== undefined && standard !== '' && `\`${String(standard)}\` without it`,
    envVar !== undefined && `variable \`${envVar}\``,
  ].filter((note) => note !== false && note !== undefined);
  return `${description.replaceAll('<', '‹').replaceAll('>', '›')}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Whether the page in the tree is what would be written. */
export async function isCurrent(): Promise<boolean> {
  return (await readFile(page, 'utf8').catch(() => '')) === (await renderPage());
}

if (import.meta.main) await writeFile(page, await renderPage());
