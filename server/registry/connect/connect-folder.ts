import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GatehouseError } from '../../contract/errors.ts';
import type { Actor } from '../../accounts/change.ts';
import type { Tokens } from '../../accounts/login/tokens.ts';
import type { ConnectTool } from '../../contract/connect.ts';
import { hasBlock, settingsFiles, tokenInBlock, withBlock, withoutBlock, yamlProblem } from './settings-block.ts';

export interface ConnectInput {
  readonly folder: string;
  /** Address of the project's registry with its trailing slash. */
  readonly registry: string;
  readonly scope: string | null;
  readonly tool: ConnectTool;
}

const tokenScopes = ['read_package_registry', 'write_package_registry'] as const;

/** The settings of a folder before and after the change; the token is left out. @throws GatehouseError `invalid_request`. */
export function previewConnection(input: ConnectInput): { file: string; before: string | null; after: string } {
  const { file, before, after } = planConnection(input);
  return { file, before: before === null ? null : asText(before), after: asText(after) };
}

/** As `previewConnection`, with one character for each byte. */
function planConnection(input: ConnectInput): { file: string; before: string | null; after: string } {
  const file = fileIn(input.folder, settingsFiles[input.tool]);
  const before = readIfThere(file);
  const after = withBlock(before, { ...input, token: '<a new token>' }, input.tool);
  const problem = input.tool === 'yarn' ? yamlProblem(asText(after)) : undefined;
  if (problem === undefined) return { file, before, after };
  throw new GatehouseError(
    'invalid_request',
    `Yarn could not read ${file} with these lines added: ${problem}. Take the settings of the former registry out of it first.`,
  );
}

/**
 * Writes the lines with a new token into the tool's settings in the folder, atomically. The token of an earlier connection is revoked.
 * @throws GatehouseError `invalid_request` if the file can't be written, or its other lines contradict.
 */
export async function connectFolder(
  input: ConnectInput,
  tokens: Tokens,
  actor: Actor,
  userId: number,
): Promise<{ file: string }> {
  const { file, before } = planConnection(input);
  const { secret, token } = await tokens.create(actor, {
    userId,
    name: `${settingsFiles[input.tool]} in ${resolve(input.folder)}`.slice(0, 255),
    description: 'Made by "connect"; taken out of use by its undo.',
    scopes: [...tokenScopes],
    expiresOn: null,
  });
  try {
    replaceFile(file, withBlock(before, { ...input, token: secret }, input.tool));
  } catch (error) {
    await tokens.revoke(actor, token.id);
    throw unwritable(file, error);
  }
  await revokeTokenIn(before, tokens, actor);
  return { file };
}

/**
 * Removes the lines: each former file is restored byte by byte, or deleted if there was none. The tokens are revoked.
 * @returns whether there was anything to undo
 */
export async function disconnectFolder(folder: string, tokens: Tokens, actor: Actor): Promise<boolean> {
  let isConnected = false;
  for (const name of new Set(Object.values(settingsFiles))) {
    const file = fileIn(folder, name);
    // Nothing was written to a link.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const text = readIfThere(file);
    if (text === null || !hasBlock(text)) continue;
    isConnected = true;
    const former = withoutBlock(text);
    try {
      if (former === '') rmSync(file);
      else replaceFile(file, former);
    } catch (error) {
      throw unwritable(file, error);
    }
    await revokeTokenIn(text, tokens, actor);
  }
  return isConnected;
}

async function revokeTokenIn(text: string | null, tokens: Tokens, actor: Actor): Promise<void> {
  const secret = text === null ? undefined : tokenInBlock(text);
  const token = secret === undefined ? undefined : tokens.findBySecret(secret);
  if (token && tokens.stateOf(token) === 'active') await tokens.revoke(actor, token.id);
}

function fileIn(folder: string, name: string): string {
  const path = resolve(folder);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new GatehouseError('invalid_request', `There is no folder ${path}.`);
  }
  return join(path, name);
}

/**
 * The file with one character for each byte, so that lines that are no UTF-8 stay as they are. A link is not followed: in a folder from
 * elsewhere it may name any file of this user.
 */
function readIfThere(file: string): string | null {
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (!facts) return null;
  if (facts.isFile()) return readFileSync(file, 'latin1');
  const what = facts.isSymbolicLink() ? 'a link' : 'no file';
  throw new GatehouseError('invalid_request', `${file} is ${what}. Put a file in its place, or choose another folder.`);
}

function asText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Only its owner may read a file with a token; any other keeps its mode. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}`;
  const mode = hasBlock(text) ? 0o600 : (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600);
  try {
    writeFileSync(temporary, text, { encoding: 'latin1', mode, flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function unwritable(file: string, error: unknown): GatehouseError {
  const reason = error instanceof Error ? error.message : String(error);
  return new GatehouseError('invalid_request', `${file} cannot be written: ${reason}`);
}
